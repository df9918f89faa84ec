import { refusedCharacters } from '../drupal/characters.ts'
import type { FindingReporter } from './findings.ts'

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
  return describeRefused(refusedCharacters(value, 'label'))
}

function describeRefused(codes: readonly string[]) {
  if (codes.length === 0) return undefined
  const code = 'control_characters'
  return {
    code,
    message: `This contains ${codes.join(', ')}; the site refuses control and invisible characters.`,
  }
}

/** Checks the characters of a text that may have several lines. */
export function checkCharacters(
  text: string,
  path: readonly (string | number)[],
  report: FindingReporter,
): void {
  const problem = describeRefused(refusedCharacters(text, 'text'))
  if (problem !== undefined) report.error(path, problem.code, problem.message)
}

/** The keys of a map that are not allowed. */
export function strayKeys(map: ReadonlyMap<unknown, unknown>, known: readonly string[]): string[] {
  return [...map.keys()].map(String).filter((key) => !known.includes(key))
}
