interface TableOptions {
  /** The columns of the terminal, where empty columns are left out; undefined: as wide as needed, which suits pipes and files. */
  readonly width?: number | undefined
  /** The columns that become narrower when the table is too wide; the last of them first. */
  readonly shrink?: readonly number[]
}

const minShrunkWidth = 8

/** A table for a terminal: each column is as wide as its widest cell, two spaces apart; the last column is not padded. */
export function writeTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { width, shrink = [] }: TableOptions = {},
): string {
  const lines = [header, ...rows]
  const shown = [...header.keys()].filter(
    (column) => width === undefined || rows.some((row) => (row[column] ?? '') !== ''),
  )
  const widths = header.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))))
  for (const column of shrink.toReversed()) {
    const total = shown.reduce((sum, index) => sum + (widths[index] ?? 0) + 2, -2)
    const tooWide = Math.max(0, total - (width ?? total))
    const wanted = widths[column] ?? 0
    if (shown.includes(column)) {
      widths[column] = Math.min(wanted, Math.max(minShrunkWidth, wanted - tooWide))
    }
  }
  return lines
    .map((line) =>
      shown
        .map((column) => {
          const cell = cutTo(line[column] ?? '', widths[column] ?? 0)
          return cell + gapAfter(cell, widths[column] ?? 0)
        })
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

/** The columns of the terminal at standard output; undefined without one, or when it does not know them. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || undefined : undefined
}

/** The text, or its beginning with an ellipsis. */
function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (widthOf(cut + character) >= width) break
    cut += character
  }
  return `${cut.trimEnd()}…`
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

/** One argument of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A number with its noun: `1 step`, `2 steps`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** A time for a table: how long ago on a terminal, else the moment, which scripts can read. */
export function writeTime(epochSeconds: number | null, now: Date, isTerminal: boolean): string {
  if (epochSeconds === null) return '–'
  const moment = new Date(epochSeconds * 1000)
  if (!isTerminal) return moment.toISOString()
  const seconds = Math.round((now.getTime() - moment.getTime()) / 1000)
  return seconds < 0 ? `in ${writeSpan(-seconds)}` : `${writeSpan(seconds)} ago`
}

const spans = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const

function writeSpan(seconds: number): string {
  const [size, unit] = spans.find(([atLeast]) => seconds >= atLeast) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}
