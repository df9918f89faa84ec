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

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/**
 * The message for an error of the validator. A schema can explain its pattern or format in `x-means`, and what to give when it is missing or an
 * empty list in `x-missing`.
 */
export function messageFor(error: ErrorObject): string {
  const { keyword, params, parentSchema, message } = error
  const means: unknown = parentSchema?.['x-means']
  if (typeof means === 'string' && (keyword === 'pattern' || keyword === 'format')) return means
  const missing =
    keyword === 'required' ? propertyOf(error) : keyword === 'minItems' ? parentSchema : undefined
  const wanted: unknown = missing?.['x-missing']
  if (typeof wanted === 'string') return wanted
  return messages[keyword]?.(params, error) ?? message ?? 'is not valid'
}

/** The schema of the property that an object lacks. */
function propertyOf({ params, parentSchema }: ErrorObject): Readonly<Record<string, unknown>> | undefined {
  const name = String((params as Readonly<Record<string, unknown>>)['missingProperty'])
  const properties = parentSchema?.['properties'] as Readonly<Record<string, object>> | undefined
  return properties?.[name] as Readonly<Record<string, unknown>> | undefined
}

/** `allowedValues` are constants that are allowed besides the types. */
function describeType(
  { type, allowedValues = [] }: Readonly<Record<string, unknown>>,
  { instancePath, data }: ErrorObject,
): string {
  const names = [type as string | string[]].flat().map((name) => typeNames[name] ?? name)
  const values = (allowedValues as unknown[]).map((value) => JSON.stringify(value))
  const allowed = [...new Set([...names, ...values])].join(' or ')
  // The framework validates a missing body as null.
  return instancePath === '' && data === null ? `is required; send ${allowed}` : `must be ${allowed}`
}

function count(limit: unknown, noun: 'character' | 'item' | 'property'): string {
  if (limit === 1) return `one ${noun}`
  return `${String(limit)} ${noun === 'property' ? 'properties' : `${noun}s`}`
}

/**
 * Reduces the errors of a union (`anyOf`, `oneOf`). A value that matches no member has errors from each of them, which is no help:
 *
 * | the value                                   | reported errors                                    |
 * |---------------------------------------------|----------------------------------------------------|
 * | has the type of one member                  | the errors of that member                          |
 * | must be one of several constants            | one error with all constants                       |
 * | has a type that no member allows            | one error with all types                           |
 * | anything else                               | the errors of every member                         |
 */
export function reduceUnionErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  // Inner unions come before the outer ones that contain them.
  return errors.filter(isUnion).reduce(reduceUnion, errors)
}

function isUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function reduceUnion(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const branches = Object.values(
    Object.groupBy(
      errors.filter((error) => isInside(error, union)),
      (error) => error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] ?? '',
    ),
  ).filter((branch) => branch !== undefined)
  if (branches.length === 0) return errors
  const reduced = reduceBranches(branches, union)
  return errors.flatMap((error) => (error === union ? reduced : isInside(error, union) ? [] : [error]))
}

/** The same schema may apply to many items of an array, so both paths must match. */
function isInside({ schemaPath, instancePath }: ErrorObject, union: ErrorObject): boolean {
  if (!schemaPath.startsWith(`${union.schemaPath}/`)) return false
  return instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`)
}

function reduceBranches(branches: readonly ErrorObject[][], union: ErrorObject): readonly ErrorObject[] {
  const matching = branches.filter((branch) => !branch.some((error) => isOtherType(error, union)))
  const [closest] = matching.toSorted((one, other) => one.length - other.length)
  if (closest !== undefined) return closest
  const own = branches.flat().filter(({ instancePath }) => instancePath === union.instancePath)
  const values = own.flatMap(valuesOf)
  const types = own.flatMap(typesOf)
  if (own.length < branches.length || values.length + types.length === 0) return branches.flat()
  if (types.length === 0) return [{ ...union, keyword: 'enum', params: { allowedValues: values } }]
  return [{ ...union, keyword: 'type', params: { type: types, allowedValues: values } }]
}

/** True when the error means that the value belongs to another member, not that its content is wrong. */
function isOtherType({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  const isOwn = instancePath === union.instancePath
  if (keyword === 'type' || keyword === 'enum') return isOwn
  // A constant one level below is a discriminator.
  return keyword === 'const' && (isOwn || !instancePath.slice(union.instancePath.length + 1).includes('/'))
}

function valuesOf({ keyword, params }: ErrorObject): readonly unknown[] {
  if (keyword === 'const') return [params['allowedValue']]
  return keyword === 'enum' ? (params['allowedValues'] as unknown[]) : []
}

function typesOf({ keyword, params }: ErrorObject): readonly string[] {
  return keyword === 'type' ? [params['type'] as string | string[]].flat() : []
}
