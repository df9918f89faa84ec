import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import { describeExcess } from './body-bounds.ts'

/** A field that callers of an interface know and that cannot be honoured here. */
interface RefusedField {
  /** Completes "… is not supported here: ". */
  readonly because: string
  /** Values that ask for nothing, and so are no reason to refuse. */
  readonly unless?: readonly unknown[]
}

export type RefusedFields = Readonly<Record<string, RefusedField>>

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields that say something: null, and what asks for nothing, is as good as left out. */
export function keepTelling(fields: Fields, refused: RefusedFields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null && !asksForNothing(refused, name, value)),
  )
}

/** What cannot be honoured among these fields, each named by its place. */
function findRefused(fields: Fields, refused: RefusedFields, place = ''): Problem[] {
  return Object.keys(fields).flatMap((name) => {
    const field = Object.hasOwn(refused, name) ? refused[name] : undefined
    return field === undefined ? [] : [unsupported(`${place}${name}`, field.because)]
  })
}

function asksForNothing(refused: RefusedFields, name: string, value: unknown): boolean {
  const field = Object.hasOwn(refused, name) ? refused[name] : undefined
  return field?.unless?.some((harmless) => isDeepStrictEqual(value, harmless)) === true
}

export function unsupported(path: string, because: string): Problem {
  return { path, message: `is not supported here: ${because}`, code: 'unsupported' }
}

/** One failure that names everything that cannot be honoured. */
function refuse(problems: readonly Problem[]): Failure {
  const told = problems.slice(0, 20)
  const [first] = told
  const more = told.length > 1 ? ` (and ${told.length - 1} more)` : ''
  return kernelFailure('invalid_input', {
    message: `${first?.path} ${first?.message}${more}.`,
    problems: told,
    details: { part: 'body' },
  })
}

/** What was found inside a body, and the body without what says nothing. */
export interface Looked {
  readonly fields: Fields
  readonly problems: readonly Problem[]
}

/** Looks into the messages of a conversation; `findMore` knows what else may be wrong with one of them. */
export function lookIntoMessages(
  fields: Fields,
  refused: RefusedFields,
  findMore: (message: Fields, place: string) => readonly Problem[] = () => [],
): Looked {
  const { messages } = fields
  if (!Array.isArray(messages)) return { fields, problems: [] }
  const kept = messages.map((message: unknown) =>
    isFields(message) ? keepTelling(message, refused) : message,
  )
  const problems = kept.flatMap((message, index) => {
    const place = `messages[${index}].`
    return isFields(message) ? [...findRefused(message, refused, place), ...findMore(message, place)] : []
  })
  return { fields: { ...fields, messages: kept }, problems }
}

/**
 * A step before a body is validated: says of fields that are known and not honoured why that is, which the schema would
 * only call unknown. `look` finds what is deeper inside.
 */
export function takeFields(
  refused: RefusedFields,
  look: (fields: Fields) => Looked = (fields) => ({ fields, problems: [] }),
) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!isFields(request.body)) return
    const excess = describeExcess(request.body)
    if (excess !== undefined) {
      throw kernelFailure('invalid_input', { message: `The body ${excess}.`, details: { part: 'body' } })
    }
    const { fields, problems } = look(keepTelling(request.body, refused))
    const found = [...findRefused(fields, refused), ...problems]
    if (found.length > 0) throw refuse(found)
    request.body = fields
  }
}
