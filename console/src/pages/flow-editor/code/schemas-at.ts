import type { JsonPath } from '../document/json.ts'
import type { Schema } from '../form/schema/read-shape.ts'

/** Reads the text at a path, by which one of several schemas is recognised. */
type ReadText = (path: JsonPath) => string | undefined

/** Every schema that what stands at a path may follow: several where nothing tells yet which is meant. */
export function schemasAt(root: Schema, path: JsonPath, read: ReadText): readonly Schema[] {
  let found = branchesOf(root, [], read)
  for (const [index, part] of path.entries()) {
    const at = path.slice(0, index + 1)
    found = found.flatMap((schema) => below(schema, part)).flatMap((schema) => branchesOf(schema, at, read))
  }
  return found
}

function below(
  { properties, additionalProperties, items }: Schema,
  part: string | number,
): readonly Schema[] {
  if (typeof part === 'number') return items === undefined ? [] : [items]
  const own = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : undefined
  if (own !== undefined) return [own]
  return typeof additionalProperties === 'object' ? [additionalProperties] : []
}

function branchesOf(schema: Schema, at: JsonPath, read: ReadText): readonly Schema[] {
  const { anyOf, description } = schema
  if (anyOf === undefined) return [schema]
  const fitting = anyOf.filter((branch) => fits(branch, at, read))
  return (fitting.length > 0 ? fitting : anyOf)
    .flatMap((branch) => branchesOf(branch, at, read))
    .map((branch) => (description === undefined ? branch : { description, ...branch }))
}

/** A field that has only one choice says which of several is meant. */
function fits({ properties = {} }: Schema, at: JsonPath, read: ReadText): boolean {
  return Object.entries(properties).every(([name, { enum: choices }]) => {
    if (choices?.length !== 1) return true
    const said = read([...at, name])
    return said === undefined || choices.includes(said)
  })
}
