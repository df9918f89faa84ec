import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import { removeAbsentFields } from './absent-fields.ts'
import { messageFor, reduceUnionErrors } from './problem-messages.ts'

const maxProblems = 20
/** A large body can have very many errors, and processing all of them would block the event loop. */
const maxErrors = 500

/**
 * Values of a body are not converted: a number sent as text is an error. Query, path and headers are text, so their values are converted
 * to the type of the schema. Unknown fields are never dropped silently. Text that PostgreSQL cannot store is refused here. Null for an
 * optional field of a body means that the field is absent.
 */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const checksOf = httpPart === 'body' ? checksOfBody : checksOfText
  return (data: unknown) => {
    // Compiled at the first request: compiling all schemas would be a good part of the start.
    const { validate, findProblems } = checksOf(schema)
    if (httpPart === 'querystring') readListParameters(schema, data as Record<string, string | string[]>)
    const { tooDeep, unstorable, hasNull } = inspectData(data)
    if (tooDeep !== undefined) return { error: [tooDeep] }
    if (hasNull && httpPart === 'body') removeAbsentFields(schema, data)
    if (!validate(data)) return { error: findProblems(data) }
    return unstorable === undefined || { error: [unstorable] }
  }
}

/** The schemas of the routes are checked when the API is described; each compiler would have to compile the meta schema first. */
const ownSchemas: Options = { strict: false, meta: false, validateSchema: false }

const checksOfBody = createChecks(false)
const checksOfText = createChecks('array')

/** A validator that stops at the first problem, which is enough for valid requests, and one that finds all problems. */
function createChecks(coerceTypes: false | 'array') {
  const options: Options = { ...ownSchemas, coerceTypes, useDefaults: true, removeAdditional: false }
  const first = addFormats.default(new Ajv(options))
  const all = addFormats.default(new Ajv({ ...options, allErrors: true, verbose: true }))
  return cachePerSchema((schema) => {
    const bounded = boundNumbers(schema)
    return { validate: first.compile(bounded), findProblems: createFindProblems(all, bounded) }
  })
}

/**
 * Creates the same check for a part of a request or a file. It does not change the value; an empty list means that it is valid. The first
 * call throws for a schema that cannot be compiled.
 */
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
 * Finds all problems at once, so that the caller can correct them together. Values that are too long are reported first and alone:
 * matching a pattern against a megabyte, or comparing a hundred thousand items, would block the event loop.
 */
function createFindProblems(compiler: Ajv, schema: object): FindProblems {
  let compiled: { readonly lengths: ValidateFunction; readonly whole: ValidateFunction } | undefined
  return (data) => {
    // Most routes never get an invalid request, so these are compiled for the first one.
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

/** More than any real input, and far less than the depth at which JSON.stringify exhausts the stack. */
export const maxLevels = 200

export const nestedTooDeeply: Problem = {
  path: '',
  message: `must not be nested more than ${maxLevels} levels deep`,
  code: 'text',
}

interface Inspected {
  readonly tooDeep?: ErrorObject
  readonly unstorable?: ErrorObject | undefined
  readonly hasNull: boolean
}

/**
 * Checks properties that no schema describes: the nesting depth, whether the data contains null, and the first text with NUL or a lone
 * surrogate. Iterative, because the data may be nested too deeply for recursion.
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
    if (level >= maxLevels) {
      return { hasNull, tooDeep: problemAt('', nestedTooDeeply.message) }
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

/** An integer beyond 2^53 would be rounded, and 1e400 is not a number. */
const maxByType = new Map<unknown, number>([
  ['integer', Number.MAX_SAFE_INTEGER],
  ['number', Number.MAX_VALUE],
])

function boundNumbers(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, part: unknown) => {
    const max = typeof part === 'object' && part !== null && 'type' in part && maxByType.get(part.type)
    return max ? { minimum: -max, maximum: max, ...(part as object) } : part
  }) as object
}

/** The schema without the keywords whose cost grows with the length of the data. */
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

/** Turns the validator's errors into one failure that names each invalid field. An invalid path parameter is `not_found`. */
export function describeInvalidInput(errors: readonly ErrorObject[], part: string | undefined): Failure {
  const problems = toProblems(errors)
  const where = partNames[part ?? 'body'] ?? 'body'
  if (where === 'path') {
    const [first] = problems
    const reason = first === undefined ? '' : `: ${first.path} ${first.message}`
    return kernelFailure('not_found', { message: `There is nothing at this address${reason}.` })
  }
  return invalidInput(problems, where)
}

/** Returns the failure for an invalid part of a request, with all its problems. Does not throw it. */
export function invalidInput(problems: readonly Problem[], part: 'body' | 'query' | 'headers'): Failure {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const message =
    first === undefined
      ? `The ${part} is not valid.`
      : `${first.path === '' ? `The ${part}` : first.path} ${first.message}${more}.`
  return kernelFailure('invalid_input', { message, problems })
}

/**
 * Converts and deduplicates errors. `if` is omitted, because its branches report the same in detail, and so are pattern and format of a text
 * that is too short.
 */
function toProblems(errors: readonly ErrorObject[]): readonly Problem[] {
  const read = errors.slice(0, maxErrors)
  const tooShort = new Set(
    read.flatMap(({ keyword, instancePath }) => (keyword === 'minLength' ? [instancePath] : [])),
  )
  const reduced = reduceUnionErrors(
    read.filter(({ keyword, instancePath }) =>
      keyword === 'pattern' || keyword === 'format' ? !tooShort.has(instancePath) : keyword !== 'if',
    ),
  )
  const problems = new Map<string, Problem>()
  for (const error of reduced) {
    const problem = toProblem(error)
    const name = `${problem.path} ${problem.message}`
    if (!problems.has(name)) problems.set(name, problem)
    if (problems.size === maxProblems) break
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

type Query = Record<string, string | string[] | undefined>

/** Reads array parameters in all notations: `name=a&name=b`, `name=a,b` and `name[]=a`. */
function readListParameters(schema: object, query: Query): void {
  for (const name of listNamesOf(schema)) {
    const bracketed = `${name}[]`
    const given = [query[name] ?? [], query[bracketed] ?? []].flat()
    if (given.length === 0) continue
    delete query[bracketed]
    query[name] = given.flatMap((text) => text.split(',')).map((value) => value.trim())
  }
}

function listNamesOf(schema: object): readonly string[] {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { type?: string }>> }
  return Object.keys(properties).filter((name) => properties[name]?.type === 'array')
}

/**
 * Compiles code for a schema at its first use, and once per process, because a process may create several servers with the same routes.
 */
export function cachePerSchema<Compiled>(
  compile: (schema: object) => Compiled,
): (schema: object) => Compiled {
  const cache = new WeakMap<object, Compiled>()
  return (schema) => {
    let compiled = cache.get(schema)
    if (compiled === undefined) {
      compiled = compile(schema)
      cache.set(schema, compiled)
    }
    return compiled
  }
}
