import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import { removeAbsentFields } from './absent-fields.ts'
import { readListParameters } from './list-parameters.ts'
import { oncePerSchema } from './once-per-schema.ts'
import { messageFor } from './problem-messages.ts'
import { tellChoices } from './tell-choices.ts'

const mostProblemsTold = 20
/** A large body can hold very many mistakes, and sorting all of them would keep everyone else waiting. */
const mostErrorsRead = 500

/**
 * Bodies are taken as they are: a number sent as text is a mistake worth naming. Query, path and headers are text by
 * nature, so there it is read as what the schema asks for. Unknown fields are never dropped in silence, and what could
 * only be stored changed or not at all is refused here, before a database has to. Null for an optional field of a body means
 * that it is absent.
 */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const checksOf = httpPart === 'body' ? checksOfBody : checksOfText
  return (data: unknown) => {
    // For the first request: all of them together would be a good part of the start of a process.
    const { validate, findProblems } = checksOf(schema)
    if (httpPart === 'querystring') readListParameters(schema, data as Record<string, string | string[]>)
    const { tooDeep, unstorable, hasNull } = inspectData(data)
    if (tooDeep !== undefined) return { error: [tooDeep] }
    if (hasNull && httpPart === 'body') removeAbsentFields(schema, data)
    if (!validate(data)) return { error: findProblems(data) }
    return unstorable === undefined || { error: [unstorable] }
  }
}

/** Our own schemas are checked where the interface is described; for each compiler that would be compiled first. */
const ownSchemas: Options = { strict: false, meta: false, validateSchema: false }

const checksOfBody = createChecks(false)
const checksOfText = createChecks('array')

/** A check that stops at the first problem, which is all that a good request needs, and one that finds every problem. */
function createChecks(coerceTypes: false | 'array') {
  const options: Options = { ...ownSchemas, coerceTypes, useDefaults: true, removeAdditional: false }
  const first = addFormats.default(new Ajv(options))
  const all = addFormats.default(new Ajv({ ...options, allErrors: true, verbose: true }))
  return oncePerSchema((schema) => {
    const bounded = boundNumbers(schema)
    return { validate: first.compile(bounded), findProblems: createFindProblems(all, bounded) }
  })
}

/** Makes the same check for a value that is no request by itself: a part of one, or a file. It changes nothing in the value. */
export function createValueCheck(schema: object): (value: unknown) => readonly Problem[] {
  let findProblems: FindProblems | undefined
  return (value) => {
    findProblems ??= createFindProblems(
      addFormats.default(new Ajv({ ...ownSchemas, allErrors: true, verbose: true })),
      boundNumbers(schema),
    )
    const { tooDeep, unstorable } = inspectData(value)
    if (tooDeep !== undefined) return toProblems([tooDeep])
    return toProblems([...findProblems(value), ...(unstorable === undefined ? [] : [unstorable])])
  }
}

type FindProblems = (data: unknown) => ErrorObject[]

/**
 * Every problem at once, so that nobody mends one after the other. What is too long is told first and alone: matching a
 * pattern against a megabyte, or comparing a hundred thousand items with each other, would keep everyone else waiting.
 */
function createFindProblems(compiler: Ajv, schema: object): FindProblems {
  let compiled: { readonly lengths: ValidateFunction; readonly whole: ValidateFunction } | undefined
  return (data) => {
    // Most routes never see a bad request, so this is made for the first one.
    compiled ??= { lengths: compiler.compile(lengthsOf(schema)), whole: compiler.compile(schema) }
    const { lengths, whole } = compiled
    if (!lengths(data)) {
      const tooLong = (lengths.errors ?? []).filter(({ keyword }) => lengthKeywords.has(keyword))
      if (tooLong.length > 0) return tooLong
    }
    return whole(data) ? [] : (whole.errors ?? [])
  }
}

const lengthKeywords = new Set(['maxLength', 'maxItems', 'maxProperties'])

/** Far more than anybody writes, and far less than what would use the stack up of whoever writes it as JSON again. */
const mostLevels = 200

interface Inspected {
  readonly tooDeep?: ErrorObject
  readonly unstorable?: ErrorObject | undefined
  readonly hasNull: boolean
}

/**
 * Looks at everything that was sent for what no schema says: how deep it is nested, whether there is a null in it, and the first
 * text that holds NUL or half a character. In a loop, because it may be nested without end.
 */
function inspectData(data: unknown): Inspected {
  const waiting: [value: unknown, pointer: string, level: number][] = [[data, '', 0]]
  let unstorable: ErrorObject | undefined
  let hasNull = false
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, pointer, level] = next
    if (typeof value === 'string' && !isStorable(value)) unstorable ??= unstorableAt(pointer)
    hasNull ||= value === null
    if (typeof value !== 'object' || value === null) continue
    if (level >= mostLevels) {
      return { hasNull, tooDeep: problemAt('', `must not be nested more than ${mostLevels} levels deep`) }
    }
    for (const [name, item] of Object.entries(value)) {
      if (!isStorable(name)) unstorable ??= unstorableAt(pointer)
      waiting.push([item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, level + 1])
    }
  }
  return { hasNull, unstorable }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function unstorableAt(instancePath: string): ErrorObject {
  return problemAt(instancePath, 'has a character that cannot be stored')
}

function problemAt(instancePath: string, message: string): ErrorObject {
  return { instancePath, schemaPath: '', keyword: 'text', params: {}, message }
}

/** A whole number beyond 2^53 is no longer the one that was sent, and 1e400 is none at all. */
const largest = new Map<unknown, number>([
  ['integer', Number.MAX_SAFE_INTEGER],
  ['number', Number.MAX_VALUE],
])

function boundNumbers(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, part: unknown) => {
    const most = typeof part === 'object' && part !== null && 'type' in part && largest.get(part.type)
    return most ? { minimum: -most, maximum: most, ...(part as object) } : part
  }) as object
}

/** The same schema without what takes longer the longer the data is. */
function lengthsOf(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    const rules = Object.entries(part)
    return Object.fromEntries(
      rules.filter(([name, rule]) => typeof rule === 'object' || !slowKeywords.has(name)),
    )
  }) as object
}

const slowKeywords = new Set(['pattern', 'format', 'uniqueItems'])

const partNames: Readonly<Record<string, 'body' | 'query' | 'path' | 'headers'>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Turns the validator's findings into one failure that names each wrong field. A path that cannot be is the path of nothing. */
export function describeInvalidInput(errors: readonly ErrorObject[], part: string | undefined): Failure {
  const problems = toProblems(errors)
  const where = partNames[part ?? 'body'] ?? 'body'
  if (where === 'path') {
    const [first] = problems
    const why = first === undefined ? '' : `: ${first.path} ${first.message}`
    return kernelFailure('not_found', { message: `There is nothing at this address${why}.` })
  }
  return invalidInput(problems, where)
}

/** A part of a request, and everything that is wrong with it. */
export function invalidInput(problems: readonly Problem[], part: 'body' | 'query' | 'headers'): Failure {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const message =
    first === undefined
      ? `The ${part} is not valid.`
      : `${first.path === '' ? `The ${part}` : first.path} ${first.message}${more}.`
  return kernelFailure('invalid_input', { message, problems, details: { part } })
}

/**
 * `if` only repeats in general what its branches say exactly. A pattern and a format may say the same, and of an empty text it is
 * enough that it is empty.
 */
function toProblems(errors: readonly ErrorObject[]): readonly Problem[] {
  const read = errors.slice(0, mostErrorsRead)
  const tooShort = new Set(
    read.flatMap(({ keyword, instancePath }) => (keyword === 'minLength' ? [instancePath] : [])),
  )
  const telling = tellChoices(
    read.filter(({ keyword, instancePath }) =>
      keyword === 'pattern' || keyword === 'format' ? !tooShort.has(instancePath) : keyword !== 'if',
    ),
  )
  const problems = new Map<string, Problem>()
  for (const error of telling) {
    const problem = toProblem(error)
    const name = `${problem.path} ${problem.message}`
    if (!problems.has(name)) problems.set(name, problem)
    if (problems.size === mostProblemsTold) break
  }
  return [...problems.values()]
}

function toProblem(error: ErrorObject): Problem {
  const { keyword, params } = error
  const parent = writePath(error.instancePath)
  const field: unknown = params['missingProperty'] ?? params['additionalProperty']
  const path = typeof field !== 'string' ? parent : parent === '' ? field : `${parent}.${field}`
  return { path, message: messageFor(error), code: codes[keyword] ?? keyword }
}

const codes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  enum: 'choice',
  const: 'choice',
}

/** `/steps/2/label` becomes `steps[2].label`. */
function writePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    )
}
