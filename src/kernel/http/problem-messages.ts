import type { ErrorObject } from 'ajv'

type Describe = (params: Readonly<Record<string, unknown>>, error: ErrorObject) => string

/** Messages by schema keyword. The name of the field precedes them: `limit must be at most 200`. */
const messages: Readonly<Record<string, Describe>> = {
  type: describeType,
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  dependencies: ({ property }) => `is required together with ${String(property)}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format }) => formats[String(format)] ?? `must be a valid ${String(format)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'item')}`,
  uniqueItems: ({ i, j }) =>
    `must not have the same item twice; items ${String(j)} and ${String(i)} are equal`,
  contains: ({ minContains }) => `must have at least ${count(minContains, 'item')} of the described form`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'property')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'property')}`,
  propertyNames: ({ propertyName }) => `has the field "${String(propertyName)}", whose name is not allowed`,
  not: () => 'has a value that is not allowed',
  anyOf: () => 'has none of the allowed forms',
  oneOf: () => 'must have exactly one of the allowed forms',
  'false schema': () => 'is not allowed',
}

const formats: Readonly<Record<string, string>> = {
  date: 'must be a date, such as 2031-05-20',
  'date-time': 'must be a date and time with an offset, such as 2031-05-20T09:30:00Z',
  email: 'must be an email address, such as name@example.com',
  uri: 'must be a URL, such as https://example.com/path',
  uuid: 'must be a UUID, such as 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/**
 * The message for an error of the validator. A schema can explain its pattern or format in `x-means`.
 */
export function messageFor(error: ErrorObject): string {
  const { keyword, params, parentSchema, message } = error
  const means: unknown = parentSchema?.['x-means']
  if (typeof means === 'string' && (keyword === 'pattern' || keyword === 'format')) return means
  return messages[keyword]?.(params, error) ?? message ?? 'is not valid'
}

/** `allowedValues` are constants that are allowed besides the types. */
function describeType(
  { type, allowedValues = [] }: Readonly<Record<string, unknown>>,
  { instancePath, data }: ErrorObject,
): string {
  const names = [type as string | string[]].flat().map((name) => types[name] ?? name)
  const values = (allowedValues as unknown[]).map((value) => JSON.stringify(value))
  const allowed = [...new Set([...names, ...values])].join(' or ')
  // The framework validates a missing body as null.
  return instancePath === '' && data === null ? `is required; send ${allowed}` : `must be ${allowed}`
}

function count(limit: unknown, noun: 'character' | 'item' | 'property'): string {
  if (limit === 1) return `one ${noun}`
  return `${String(limit)} ${noun === 'property' ? 'properties' : `${noun}s`}`
}
