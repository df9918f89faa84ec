import type { FastifyRequest } from 'fastify'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import { shareLongTexts } from '#kernel/http'
import { type InertFields, isFields, withoutEmptyFields } from '#kernel/native-api'

export { type InertFields, isFields, withoutEmptyFields } from '#kernel/native-api'

/** A field of the original API that the gateway does not support. */
interface RefusedField {
  /** Completes "… is not supported: ". */
  readonly because: string
  /** Values without effect, which are accepted. */
  readonly unless?: readonly unknown[]
}

export type RefusedFields = Readonly<Record<string, RefusedField>>

export type Fields = Readonly<Record<string, unknown>>

/** The unsupported fields, with their paths. */
function findRefused(fields: Fields, refused: RefusedFields, prefix = ''): Problem[] {
  return Object.keys(fields).flatMap((name) => {
    const field = Object.hasOwn(refused, name) ? refused[name] : undefined
    return field === undefined ? [] : [unsupported(`${prefix}${name}`, field.because)]
  })
}

function unsupported(path: string, because: string): Problem {
  return { path, message: `is not supported: ${because}`, code: 'unsupported' }
}

/** One failure that names all unsupported fields. */
function refuse(problems: readonly Problem[]): Failure {
  const reported = problems.slice(0, 20)
  const [first] = reported
  const more = reported.length > 1 ? ` (and ${reported.length - 1} more)` : ''
  return kernelFailure('invalid_input', {
    message: `${first?.path} ${first?.message}${more}.`,
    problems: reported,
  })
}

/** The cleaned fields of a body and the problems inside them. */
export interface CheckedFields {
  readonly fields: Fields
  readonly problems: readonly Problem[]
}

/**
 * A preValidation hook that refuses unsupported fields with a reason, where the schema would only report an unknown field.
 * `checkInside` checks nested fields.
 */
export function refuseUnsupportedFields(
  refused: RefusedFields,
  checkInside: (fields: Fields) => CheckedFields = (fields) => ({ fields, problems: [] }),
) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!isFields(request.body)) return
    const problem = findSizeProblem(request.body)
    if (problem !== undefined) {
      throw kernelFailure('invalid_input', { message: `The body ${problem}.` })
    }
    const { fields, problems } = checkInside(withoutEmptyFields(request.body, refused))
    const found = [...findRefused(fields, refused), ...problems]
    if (found.length > 0) throw refuse(found)
    shareLongTexts(request.body, fields)
    request.body = fields
  }
}

/** A preValidation hook that removes nulls and values without effect. Unknown fields stay: providers may support them. */
export function cleanFields(inert: InertFields, checkInside: (fields: Fields) => CheckedFields) {
  return refuseUnsupportedFields({}, (fields) => checkInside(withoutEmptyFields(fields, inert)))
}

/** Deeper than reasonable schemas, and far below what overflows the stack. */
const maxLevels = 100
/** About the tokens of a long context; checking many more would block the event loop. */
const maxValues = 300_000

/** Why a body is too large; undefined when it is not. Iterative, because a body may be nested very deeply. */
export function findSizeProblem(body: object): string | undefined {
  let level: object[] = [body]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxLevels) return `is nested more than ${maxLevels} levels deep`
    const next: object[] = []
    for (const holder of level) {
      const inner: unknown[] = Object.values(holder)
      values += inner.length
      if (values > maxValues) return `has more than ${maxValues} values`
      for (const value of inner) if (typeof value === 'object' && value !== null) next.push(value)
    }
    level = next
  }
  return undefined
}
