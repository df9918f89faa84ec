import { parentPort } from 'node:worker_threads'
import { Ajv, type ErrorObject, type Options, type SchemaObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Problem } from '#kernel/errors'

/** Is this a schema; and, with an answer, does the answer satisfy it? */
export interface SchemaQuestion {
  /** As JSON, for it is also what a schema is known again by. */
  readonly schema: string
  readonly answer?: string | undefined
}

export type SchemaVerdict =
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'checked'; readonly problems: readonly Problem[] }

/** Schemas are asked for again and again; each is a function that was written for it. */
const rememberedSchemas = 50
const mostProblemsTold = 10
const longestTold = 200

interface Draft {
  readonly name: string
  /** Knows what a schema of this draft looks like. */
  readonly judge: Ajv
  readonly create: (options: Options) => Ajv
}

const drafts: readonly Draft[] = [
  draftOf('https://json-schema.org/draft/2020-12/schema', (options) => new Ajv2020(options)),
  draftOf('http://json-schema.org/draft-07/schema', (options) => new Ajv(options)),
]

function draftOf(name: string, create: Draft['create']): Draft {
  return { name, create, judge: create({ strict: false, logger: false }) }
}

function findDraft(named: unknown): Draft {
  const [usual] = drafts
  const known = (text: string) => drafts.find(({ name }) => name === text.replace(/#$/, ''))
  const found = named === undefined ? usual : known(typeof named === 'string' ? named : '')
  if (found !== undefined) return found
  throw new Error(`$schema must be one of ${drafts.map(({ name }) => name).join(', ')}`)
}

const remembered = new Map<string, ValidateFunction>()

function compile(text: string): ValidateFunction {
  const known = remembered.get(text)
  if (known !== undefined) return known
  // A promise would pass for an answer that is right.
  const schema = { ...(JSON.parse(text) as SchemaObject), $async: false }
  const { judge, create } = findDraft(schema['$schema'])
  if (judge.validateSchema(schema) !== true)
    throw new Error(judge.errorsText(judge.errors, { dataVar: 'schema' }))
  // One for each schema: what a schema calls itself is nothing another may refer to, or be mistaken for.
  const own = create({
    strict: false,
    logger: false,
    allErrors: true,
    inlineRefs: false,
    // A field called `constructor` is missing unless it is there.
    ownProperties: true,
    meta: false,
    validateSchema: false,
  })
  const validate = addFormats.default(own).compile(schema)
  remembered.set(text, validate)
  const [oldest] = remembered.keys()
  if (remembered.size > rememberedSchemas && oldest !== undefined) remembered.delete(oldest)
  return validate
}

function answerQuestion({ schema, answer }: SchemaQuestion): SchemaVerdict {
  let validate: ValidateFunction
  try {
    validate = compile(schema)
  } catch (error) {
    return { kind: 'unusable', reason: sentenceOf(error) }
  }
  if (answer === undefined) return { kind: 'checked', problems: [] }
  try {
    const problems = validate(JSON.parse(answer)) ? [] : (validate.errors ?? [])
    return { kind: 'checked', problems: problems.slice(0, mostProblemsTold).map(toProblem) }
  } catch (error) {
    // A schema that leads back to itself without going on in the answer.
    return { kind: 'unusable', reason: sentenceOf(error) }
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof RangeError) return 'it leads back to itself, or is nested too deeply'
  return (error instanceof Error ? error.message : String(error)).slice(0, longestTold)
}

function toProblem({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): Problem {
  const name = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  const choices: unknown = params['allowedValues'] ?? params['allowedValue']
  const told = choices === undefined ? message : `${message}: ${JSON.stringify(choices)}`
  return {
    path: `${instancePath}${typeof name === 'string' ? `/${name}` : ''}`.slice(0, longestTold),
    message: told.slice(0, longestTold),
    code: keyword,
  }
}

parentPort?.on('message', (question: SchemaQuestion) => {
  parentPort?.postMessage(answerQuestion(question), [])
})
