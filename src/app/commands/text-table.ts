/** Columns as wide as their widest cell, two spaces apart. The last one is as long as it is. */
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

/** Places on a terminal: marks stand on the letter before them, and letters of East Asia take two. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (!/\p{M}/u.test(character)) width += wide.test(character) ? 2 : 1
  }
  return width
}
