/** Ends a shortened text. */
const ellipsis = '…'

/** Replaces line breaks and other control characters by spaces and shortens the text to `maxLength`. */
export function oneLine(text: string, maxLength: number): string {
  return shorten(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
    maxLength,
  )
}

/** Removes control characters other than line breaks and tabs and shortens the text to `maxLength`. */
export function plainText(text: string, maxLength: number): string {
  return shorten(
    text
      .toWellFormed()
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll(/(?![\n\t])\p{Cc}/gu, ' '),
    maxLength,
  )
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A character outside the basic plane is two UTF-16 units; the cut must not leave the first alone.
  return `${text.slice(0, maxLength - ellipsis.length).replace(/[\uD800-\uDBFF]$/, '')}${ellipsis}`
}
