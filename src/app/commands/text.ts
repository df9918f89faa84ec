/** A table for a terminal: each column is as wide as its widest cell, two spaces apart; the last column is not padded. */
export function writeTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + gapAfter(cell, widths[column] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

function gapAfter(cell: string, width: number): string {
  return ' '.repeat(width - widthOf(cell) + 2)
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF01-\uFF60]/u

/** Columns on a terminal: combining marks take none, East Asian letters two. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (!/\p{M}/u.test(character)) width += wide.test(character) ? 2 : 1
  }
  return width
}

/** Removes what could control a terminal: escape sequences and marks that change the writing direction. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
}

/** Printable, on one line. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim()
}

/** A number with its noun: `1 step`, `2 steps`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
