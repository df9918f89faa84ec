import { Failure } from '#kernel/errors'

/** What is wrong with a schema is told by its place in the body, which only this interface knows. */
export function nameSchema(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.code !== 'invalid_input') throw thrown
  throw new Failure(thrown.code, thrown, {
    problems: thrown.problems.map((problem) => ({ ...problem, path: 'response_format.json_schema.schema' })),
    cause: thrown,
  })
}
