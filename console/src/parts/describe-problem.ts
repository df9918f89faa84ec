import type { Problem } from '../api/api-failure.ts'

/** What the validator says tersely, as a person would. */
const plainWords: ReadonlyArray<readonly [pattern: RegExp, words: string]> = [
  [/^(?:is required|must NOT have fewer than 1 (?:characters|items))$/, 'Must not be empty.'],
  // A field for one line lets nothing else through but emptiness.
  [/^must be one line of text/, 'Must not be empty.'],
  [/^must match pattern /, 'Is not written as described above.'],
  [/^must match format "email"$/, 'Must be an email address.'],
  [/^must match format "uri"$/, 'Must be a whole address, such as https://example.org/callback.'],
  [/^must match format "date-time"$/, 'Must be a date.'],
]

/** One problem as the whole sentence that stands below its field. */
export function describeProblem({ message }: Pick<Problem, 'message'>): string {
  const known = plainWords.find(([pattern]) => pattern.test(message))
  if (known !== undefined) return known[1]
  const sentence = message.replaceAll('NOT', 'not')
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? '' : '.'}`
}

/** The problem of a field that holds one thing on each line, with the line it is in. */
export function describeLineProblem({ path, message }: Problem): string {
  const index = /\[(\d+)\]$/.exec(path)?.[1]
  return index === undefined ? describeProblem({ message }) : `Line ${Number(index) + 1} ${message}.`
}

/** Whether a problem is about a field: `redirect_uris[1]` and `redirect_uris.x` are about `redirect_uris`. */
export function isAbout({ path }: Pick<Problem, 'path'>, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`)
}
