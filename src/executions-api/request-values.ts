import type { FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import { invalidField } from './errors.ts'

/** A query parameter with a list of ids. */
interface IdParameter {
  readonly parameter: string
  /** The kind of object, such as `flow`. */
  readonly noun: string
}

const idPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The distinct ids of a list; undefined (all) when none were given. Throws `invalid_input` for text that cannot be an id. */
export function readIdList(
  given: readonly string[] | undefined,
  { parameter, noun }: IdParameter,
): readonly string[] | undefined {
  if (given === undefined) return undefined
  const ids = [...new Set(given)]
  const wrong = ids.find((id) => !idPattern.test(id))
  if (wrong === undefined) return ids
  throw invalidField({
    path: parameter,
    message: `has "${wrong}", which no ${noun} can be called`,
    code: 'value',
  })
}

/** The `invalid_input` failure for an id in a query parameter that does not exist. */
export function unknownId(id: string, { parameter, noun }: IdParameter): Failure {
  return invalidField({
    path: parameter,
    message: `has "${id}", and there is no such ${noun}`,
    code: 'value',
  })
}

/** The URL of an API: the configured public URL, else the URL of the request. */
export function baseUrlOf(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | undefined,
  prefix: string,
): string {
  const origin = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`
  return `${origin}${prefix}`
}

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
  })
}
