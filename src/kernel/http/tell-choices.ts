import type { ErrorObject } from 'ajv'

/**
 * A value that may be one thing or another fails against each of them, and the list of all that is no help. Told is:
 *
 * | the value                                   | what is told                                       |
 * |---------------------------------------------|----------------------------------------------------|
 * | is of the sort that one choice asks for     | what is wrong with it by that choice               |
 * | should be one of some values                | these values, in one line                          |
 * | is of a sort that no choice asks for        | the sorts, in one line                             |
 * | anything else                               | what every choice says                             |
 */
export function tellChoices(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  // Inner choices come before the outer ones that hold them.
  return errors.filter(isChoice).reduce(tellChoice, errors)
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function tellChoice(errors: readonly ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const branches = Object.values(
    Object.groupBy(
      errors.filter((error) => isInside(error, choice)),
      (error) => error.schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0] ?? '',
    ),
  ).filter((branch) => branch !== undefined)
  if (branches.length === 0) return errors
  const told = tellBranches(branches, choice)
  return errors.flatMap((error) => (error === choice ? told : isInside(error, choice) ? [] : [error]))
}

/** The same schema may be behind many values of a list, so both places count. */
function isInside({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  if (!schemaPath.startsWith(`${choice.schemaPath}/`)) return false
  return instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`)
}

function tellBranches(branches: readonly ErrorObject[][], choice: ErrorObject): readonly ErrorObject[] {
  const meant = branches.filter((branch) => !branch.some((error) => isOtherSort(error, choice)))
  const [closest] = meant.toSorted((one, other) => one.length - other.length)
  if (closest !== undefined) return closest
  const own = branches.flat().filter(({ instancePath }) => instancePath === choice.instancePath)
  const values = own.flatMap(valuesOf)
  const sorts = own.flatMap(sortsOf)
  if (own.length < branches.length || values.length + sorts.length === 0) return branches.flat()
  if (sorts.length === 0) return [{ ...choice, keyword: 'enum', params: { allowedValues: values } }]
  return [{ ...choice, keyword: 'type', params: { type: sorts, allowedValues: values } }]
}

/** Says that the value is not what this choice is about, as against something being wrong inside it. */
function isOtherSort({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  const isOwn = instancePath === choice.instancePath
  if (keyword === 'type' || keyword === 'enum') return isOwn
  // Objects of several kinds have a field that names the kind.
  return keyword === 'const' && (isOwn || !instancePath.slice(choice.instancePath.length + 1).includes('/'))
}

function valuesOf({ keyword, params }: ErrorObject): readonly unknown[] {
  if (keyword === 'const') return [params['allowedValue']]
  return keyword === 'enum' ? (params['allowedValues'] as unknown[]) : []
}

function sortsOf({ keyword, params }: ErrorObject): readonly string[] {
  return keyword === 'type' ? [params['type'] as string | string[]].flat() : []
}
