import { kernelFailure } from '#kernel/errors'

/** A revision as a tag: `"3"`. */
export function tagOf(revision: number): string {
  return `"${revision}"`
}

/** The revision a caller knows, from `If-Match` or from the body; undefined when they do not say. */
export function expectedRevision(header: string | undefined, given: number | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return given
  const revision = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (revision === undefined || (given !== undefined && given !== Number(revision))) {
    throw kernelFailure('invalid_input', {
      message:
        revision === undefined
          ? 'If-Match must be one revision, such as "3".'
          : 'If-Match and expected_version name different revisions.',
      details: { part: 'headers' },
    })
  }
  return Number(revision)
}
