import type { Failure } from '#kernel/errors'
import { invalidField } from './errors.ts'

/** A query parameter with a list of ids. */
interface IdParameter {
  readonly parameter: string
  /** What the ids are of, such as `flow`. */
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
    part: 'query',
  })
}

export function unknownId(id: string, { parameter, noun }: IdParameter): Failure {
  return invalidField({
    path: parameter,
    message: `has "${id}", and there is no such ${noun}`,
    code: 'value',
    part: 'query',
  })
}
