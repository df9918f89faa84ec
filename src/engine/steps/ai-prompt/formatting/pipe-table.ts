import { type Inline, plainTextOf, type Table } from './document.ts'

const delimiters = /^\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?$/
const mostRows = 1000
const mostColumns = 50

/** Finds a table with pipes in the lines of a paragraph: a row of names, and below it a row of dashes with as many columns. */
export function findTable(
  inside: readonly Inline[],
): { readonly before: string; readonly table: Table } | undefined {
  const text = plainTextOf(inside)
  if (!text.includes('|')) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const at = lines.findIndex((line, index) => {
    const columns = cellsOf(line).length
    return (
      index > 0 &&
      line.includes('-') &&
      delimiters.test(line) &&
      columns === cellsOf(lines[index - 1] ?? '').length
    )
  })
  if (at < 0) return undefined
  const header = cellsOf(lines[at - 1] ?? '').slice(0, mostColumns)
  const rows = lines.slice(at + 1, at + 1 + mostRows).map((line) => {
    const cells = cellsOf(line)
    return header.map((_, column) => cells[column] ?? '')
  })
  return { before: lines.slice(0, at - 1).join(' '), table: { kind: 'table', header, rows } }
}

/** The cells of a row; an outer pipe on either side opens no further one. */
function cellsOf(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())
}
