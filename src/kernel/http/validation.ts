import { Ajv, type ErrorObject, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'

const mostProblemsTold = 20

/**
 * Bodies are taken as they are: a number sent as text is a mistake worth naming. Query, path and headers are text by
 * nature, so there it is read as what the schema asks for. Unknown fields are never dropped in silence.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const shared: Options = { allErrors: true, useDefaults: true, strict: false, removeAdditional: false }
  const bodies = addFormats.default(new Ajv({ ...shared, coerceTypes: false }))
  const texts = addFormats.default(new Ajv({ ...shared, coerceTypes: 'array' }))
  return ({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema)
}

const partNames: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Turns the validator's findings into one failure that names each wrong field. */
export function describeInvalidInput(errors: readonly ErrorObject[], part: string | undefined): Failure {
  const problems = errors.filter(isTelling).slice(0, mostProblemsTold).map(toProblem)
  const [first] = problems
  const where = partNames[part ?? 'body'] ?? 'body'
  const message =
    first === undefined
      ? `The ${where} is not valid.`
      : `${first.path === '' ? `The ${where}` : first.path} ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''}.`
  return kernelFailure('invalid_input', { message, problems, details: { part: where } })
}

/** `if` and `anyOf` only repeat in general what their branches say exactly. */
function isTelling(error: ErrorObject): boolean {
  return error.keyword !== 'if'
}

function toProblem(error: ErrorObject): Problem {
  const parent = writePath(error.instancePath)
  const join = (name: string) => (parent === '' ? name : `${parent}.${name}`)
  switch (error.keyword) {
    case 'required':
      return { path: join(String(error.params['missingProperty'])), message: 'is required', code: 'required' }
    case 'additionalProperties':
      return {
        path: join(String(error.params['additionalProperty'])),
        message: 'is not a known field',
        code: 'unknown_field',
      }
    case 'enum':
      return {
        path: parent,
        message: `must be one of ${(error.params['allowedValues'] as unknown[]).map(String).join(', ')}`,
        code: 'choice',
      }
    case 'const':
      return {
        path: parent,
        message: `must be ${JSON.stringify(error.params['allowedValue'])}`,
        code: 'choice',
      }
    default:
      return { path: parent, message: error.message ?? 'is not valid', code: error.keyword }
  }
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
