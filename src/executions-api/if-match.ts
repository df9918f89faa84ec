import { kernelFailure } from '#kernel/errors'

/** The entity tag of a revision: `"3"`. */
export function entityTag(revision: number): string {
  return `"${revision}"`
}

/**
 * The revision a change was made on, from `If-Match` or from `expected_version`; undefined when the caller names none. Throws
 * `invalid_input` when the header is no revision, or when both name different ones.
 */
export function expectedRevision(
  header: string | undefined,
  given: number | undefined,
  noun: 'revision' | 'version',
): number | undefined {
  if (header === undefined || header.trim() === '*') return given
  const revision = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (revision !== undefined && (given === undefined || given === Number(revision))) return Number(revision)
  throw kernelFailure('invalid_input', {
    message:
      revision === undefined
        ? `If-Match must be one ${noun}, such as "3".`
        : `If-Match and expected_version name different ${noun}s.`,
    details: { part: 'headers' },
  })
}
