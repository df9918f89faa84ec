import { kernelFailure } from '#kernel/errors'

/** A version as a tag: `"3"`. */
export function tagOf(version: number): string {
  return `"${version}"`
}

/** The version a caller knows, from `If-Match` or from the body; undefined when they do not say. */
export function expectedVersion(header: string | undefined, given: number | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return given
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (version !== undefined && (given === undefined || given === Number(version))) return Number(version)
  throw kernelFailure('invalid_input', {
    message:
      version === undefined
        ? 'If-Match must be one version, such as "3".'
        : 'If-Match and expected_version name different versions.',
    details: { part: 'headers' },
  })
}
