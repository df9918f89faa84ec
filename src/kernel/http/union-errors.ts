import type { ErrorObject } from 'ajv'

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
