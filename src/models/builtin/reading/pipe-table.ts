/** What a paragraph holds when some of its lines are a table with pipes, which plain Markdown does not know. */
export interface PipeTable {
  readonly before: string
  readonly cells: readonly string[]
}

const delimiterRow = /^\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

/** Finds a table in the lines of a paragraph: a row of names, below it a row of dashes with as many columns. */
export function findPipeTable(paragraph: string): PipeTable | undefined {
  const lines = paragraph.split('\n').map((line) => line.trim())
  const at = lines.findIndex(
    (line, index) =>
      index > 0 && delimiterRow.test(line) && cellsOf(line).length === cellsOf(lines[index - 1] ?? '').length,
  )
  if (at < 0) return undefined
  const rows = [lines[at - 1] ?? '', ...lines.slice(at + 1)]
  return {
    before: lines.slice(0, at - 1).join(' '),
    cells: rows.flatMap(cellsOf).filter((cell) => cell !== ''),
  }
}

/** The cells of a row; an outer pipe on either side opens no further one. */
export function cellsOf(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())
}
