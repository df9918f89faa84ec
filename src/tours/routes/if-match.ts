import { kernelFailure } from '#kernel/errors'

/** The ETag of a revision: `"3"`. */
export function tagOf(revision: number): string {
  return `"${revision}"`
}

/** The expected revision from `If-Match` or from the request; undefined without one. Throws 400 when they differ. */
export function expectedRevision(header: string | undefined, given: number | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return given
  const revision = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (revision !== undefined && (given === undefined || given === Number(revision))) return Number(revision)
  const message =
    revision === undefined
      ? 'must be one revision, such as "3"'
      : 'must be the same revision as in the request'
  throw kernelFailure('invalid_input', {
    message: `If-Match ${message}.`,
    problems: [{ path: 'If-Match', message, code: 'revision' }],
  })
}
