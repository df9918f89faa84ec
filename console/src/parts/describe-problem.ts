import type { Problem } from '../api/api-failure.ts'

/** Messages of the server that are written for programs, and their replacements for users of a form. */
const plainWords: ReadonlyArray<readonly [pattern: RegExp, words: string]> = [
  [/^(?:is required|must have at least one item)$/, 'Must not be empty.'],
  // A one-line field accepts any other text, so this problem means that it is empty.
  [/^must be one line of text/, 'Must not be empty.'],
  [/^must match the pattern /, 'Does not have the required format.'],
  [/^must be an email address/, 'Must be an email address.'],
  [/^must be a date and time /, 'Must be a date.'],
]

/** A problem as a whole sentence, shown below its field. */
export function describeProblem({ message }: Pick<Problem, 'message'>): string {
  const known = plainWords.find(([pattern]) => pattern.test(message))
  if (known !== undefined) return known[1]
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`
}

/** The problem of a field with one item per line, with the number of the line. */
export function describeLineProblem({ path, message }: Problem): string {
  const index = /\[(\d+)\]$/.exec(path)?.[1]
  return index === undefined ? describeProblem({ message }) : `Line ${Number(index) + 1} ${message}.`
}

/** Whether a problem belongs to a field: `redirect_uris[1]` and `redirect_uris.x` belong to `redirect_uris`. */
export function isAbout({ path }: Pick<Problem, 'path'>, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`)
}
