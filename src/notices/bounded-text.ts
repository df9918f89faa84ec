/** What a text that was cut ends with. */
const cut = '…'

/** A text without line breaks or other control characters, of so many characters at most. */
export function oneLine(text: string, most: number): string {
  return shorten(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
    most,
  )
}

/** A text whose only control characters are line breaks and tabs, of so many characters at most. */
export function plainText(text: string, most: number): string {
  return shorten(
    text
      .toWellFormed()
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll(/(?![\n\t])\p{Cc}/gu, ' '),
    most,
  )
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  // A character outside the basic plane is two units, and half of one is none.
  return `${text.slice(0, most - cut.length).replace(/[\uD800-\uDBFF]$/, '')}${cut}`
}
