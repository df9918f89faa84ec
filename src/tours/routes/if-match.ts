import { kernelFailure } from '#kernel/errors'

/** A revision as a tag: `"3"`. */
export function tagOf(revision: number): string {
  return `"${revision}"`
}

/** The revision a caller knows, from `If-Match` or as they sent it; undefined when they do not say. */
export function expectedRevision(header: string | undefined, given: number | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return given
  const revision = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (revision !== undefined && (given === undefined || given === Number(revision))) return Number(revision)
  const message =
    revision === undefined
      ? 'must be one revision, such as "3"'
      : 'must name the same revision as the request'
  throw kernelFailure('invalid_input', {
    message: `If-Match ${message}.`,
    problems: [{ path: 'If-Match', message, code: 'revision' }],
  })
}
