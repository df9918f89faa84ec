import type { ExecutionEntry } from './execution-queries.ts'

/** The selected executions as a CSV file, like the export of the API. A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function writeSelectionCsv(executions: readonly ExecutionEntry[]): string {
  const [first] = executions
  if (first === undefined) return ''
  const fields = Object.keys(first) as (keyof ExecutionEntry)[]
  const lines = executions.map((entry) => fields.map((field) => writeCell(entry[field])).join(','))
  return [fields.join(','), ...lines, ''].join('\r\n')
}

function writeCell(value: ExecutionEntry[keyof ExecutionEntry]): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
