import { parentPort } from 'node:worker_threads'
import { Ajv, type ErrorObject, type Options, type SchemaObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Problem } from '#kernel/errors'

/** Checks whether a schema is usable and, with `json`, whether the JSON satisfies it. */
export interface SchemaCheckRequest {
  /** The schema as JSON, which is also the key of the compiled schema. */
  readonly schema: string
  readonly json?: string | undefined
}

export type SchemaCheckResult =
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'checked'; readonly problems: readonly Problem[] }

/** Compiling is expensive and callers repeat schemas, so compiled schemas are cached. */
const maxCompiledSchemas = 50
const maxProblems = 10
const maxMessageLength = 200

interface Draft {
  readonly name: string
  /** Validates schemas of this draft. */
  readonly validator: Ajv
  readonly create: (options: Options) => Ajv
}

const drafts: readonly Draft[] = [
  draftOf('https://json-schema.org/draft/2020-12/schema', (options) => new Ajv2020(options)),
  draftOf('http://json-schema.org/draft-07/schema', (options) => new Ajv(options)),
]

function draftOf(name: string, create: Draft['create']): Draft {
  return { name, create, validator: create({ strict: false, logger: false }) }
}

function findDraft(named: unknown): Draft {
  const [usual] = drafts
  const known = (text: string) => drafts.find(({ name }) => name === text.replace(/#$/, ''))
  const found = named === undefined ? usual : known(typeof named === 'string' ? named : '')
  if (found !== undefined) return found
  throw new Error(`$schema must be one of ${drafts.map(({ name }) => name).join(', ')}`)
}

const compiled = new Map<string, ValidateFunction>()

function compile(text: string): ValidateFunction {
  const known = compiled.get(text)
  if (known !== undefined) return known
  // An asynchronous schema would return a promise, which counts as valid.
  const schema = { ...(JSON.parse(text) as SchemaObject), $async: false }
  const { validator, create } = findDraft(schema['$schema'])
  if (validator.validateSchema(schema) !== true)
    throw new Error(validator.errorsText(validator.errors, { dataVar: 'schema' }))
  // One instance for each schema, so that the ids of one schema are not visible to another.
  const own = create({
    strict: false,
    logger: false,
    allErrors: true,
    inlineRefs: false,
    // Inherited properties such as `constructor` do not count as fields.
    ownProperties: true,
    meta: false,
    validateSchema: false,
  })
  const validate = addFormats.default(own).compile(schema)
  compiled.set(text, validate)
  const [oldest] = compiled.keys()
  if (compiled.size > maxCompiledSchemas && oldest !== undefined) compiled.delete(oldest)
  return validate
}

function checkSchema({ schema, json }: SchemaCheckRequest): SchemaCheckResult {
  let validate: ValidateFunction
  try {
    validate = compile(schema)
  } catch (error) {
    return { kind: 'unusable', reason: messageOf(error) }
  }
  if (json === undefined) return { kind: 'checked', problems: [] }
  try {
    const problems = validate(JSON.parse(json)) ? [] : (validate.errors ?? [])
    return { kind: 'checked', problems: problems.slice(0, maxProblems).map(toProblem) }
  } catch (error) {
    // The schema recurses without descending into the JSON.
    return { kind: 'unusable', reason: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError) return 'it refers to itself without end, or is nested too deeply'
  return (error instanceof Error ? error.message : String(error)).slice(0, maxMessageLength)
}

function toProblem({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): Problem {
  const name = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  const choices: unknown = params['allowedValues'] ?? params['allowedValue']
  const text = choices === undefined ? message : `${message}: ${JSON.stringify(choices)}`
  return {
    path: `${instancePath}${typeof name === 'string' ? `/${name}` : ''}`.slice(0, maxMessageLength),
    message: text.slice(0, maxMessageLength),
    code: keyword,
  }
}

parentPort?.on('message', (request: SchemaCheckRequest) => {
  parentPort?.postMessage(checkSchema(request), [])
})
