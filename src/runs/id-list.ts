import { kernelFailure } from '#kernel/errors'

/** A parameter of a query that names things by their ids. */
interface IdParameter {
  readonly parameter: string
  /** What the ids are of, such as `flow`. */
  readonly thing: string
}

const idPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The ids of a list, each once; undefined when none were given: all are meant. */
export function readIdList(
  given: readonly string[] | undefined,
  { parameter, thing }: IdParameter,
): readonly string[] | undefined {
  if (given === undefined) return undefined
  const ids = [...new Set(given)]
  const wrong = ids.find((id) => !idPattern.test(id))
  if (wrong !== undefined) throw invalidIdList(parameter, `has "${wrong}", which no ${thing} can be called`)
  return ids
}

export function invalidIdList(parameter: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${parameter} ${message}.`,
    problems: [{ path: parameter, message, code: 'value' }],
    details: { part: 'query' },
  })
}
