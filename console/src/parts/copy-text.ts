/** Puts a text on the clipboard; answers whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers offer the clipboard to https and localhost only, and many platforms run on plain http inside a house.
  if (window.isSecureContext) {
    return await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  const previous = document.activeElement
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (previous instanceof HTMLElement) previous.focus()
  return copied
}
