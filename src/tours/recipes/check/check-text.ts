import type { FindingReporter } from './findings.ts'

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const moreThanOneLine = /[\n\r\u2028\u2029]/

/** Checks a required string of one line, such as a label. */
export function checkLine(value: unknown, path: readonly (string | number)[], report: FindingReporter): void {
  const problem = problemOf(value)
  if (problem !== undefined) report.error(path, problem.code, problem.message)
}

function problemOf(value: unknown): { readonly code: string; readonly message: string } | undefined {
  if (value === undefined || value === null)
    return { code: 'required', message: 'This is required; the site refuses the recipe without it.' }
  if (typeof value !== 'string') return { code: 'type', message: 'This must be a string; put it in quotes.' }
  if (value.trim() === '') return { code: 'blank', message: 'This must not be blank; the site refuses it.' }
  if (moreThanOneLine.test(value))
    return { code: 'one_line', message: 'This must be a single line; the site refuses line breaks.' }
  if (control.test(value))
    return { code: 'control_characters', message: 'This contains control characters; the site refuses them.' }
  return undefined
}

export function hasControls(text: string): boolean {
  return control.test(text)
}

/** The keys of a map that are not allowed. */
export function strayKeys(map: ReadonlyMap<unknown, unknown>, known: readonly string[]): string[] {
  return [...map.keys()].map(String).filter((key) => !known.includes(key))
}
