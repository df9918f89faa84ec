import { useEffect, useState } from 'react'

const feedbackMs = 1_500

/** Copies a text, or the result of a function, and shows the outcome for a moment. An empty text counts as a failure. */
export function useCopy(text: string | (() => Promise<string>)) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return undefined
    const timer = setTimeout(() => setOutcome('idle'), feedbackMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    void (async () => {
      const made = typeof text === 'string' ? text : await text()
      setOutcome(made !== '' && (await copyText(made)) ? 'copied' : 'failed')
    })()
  return { outcome, copy }
}

/** Writes a text to the clipboard; resolves with whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers offer the clipboard API on https and localhost only, and many installations use plain http in a local network.
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
