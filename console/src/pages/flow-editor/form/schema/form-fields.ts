import generated from '../flow-schema.generated.json'
import { readFields, readShape, type Schema } from './read-shape.ts'
import type { Field } from './shape.ts'

/** The request schema of the API. */
const { flow, metadata }: { readonly flow: Schema; readonly metadata: Schema } = generated

const stepSchemas = flow.properties?.['steps']?.items?.anyOf ?? []

/** The fields of every step type, in schema order. */
const fieldsByType: ReadonlyMap<string, readonly Field[]> = new Map(
  stepSchemas.flatMap((schema) => {
    const type = schema.properties?.['type']?.enum?.[0]
    return type === undefined ? [] : [[type, readFields(schema)] as const]
  }),
)

export const stepTypes: readonly string[] = [...fieldsByType.keys()]

/** The fields every step type has. */
const commonNames = new Set(
  [...(fieldsByType.values().next().value ?? [])]
    .map(({ name }) => name)
    .filter((name) => [...fieldsByType.values()].every((fields) => fields.some((it) => it.name === name))),
)

/** The ID and the type have special fields: a rename updates references, and a type change replaces fields. */
const ownWays = new Set(['id', 'type'])

/** The fields of a step by importance: its name, its task, its conditions, its error handling. */
export function fieldsOfStep(type: string): readonly Field[] {
  const fields = (fieldsByType.get(type) ?? commonFields()).filter(({ name }) => !ownWays.has(name))
  return fields.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** The fields of a step of unknown type. */
function commonFields(): readonly Field[] {
  const [first = []] = fieldsByType.values()
  return first.filter(({ name }) => commonNames.has(name))
}

function rankOf({ name, isRequired, shape }: Field): number {
  if (name === 'label') return 0
  if (!commonNames.has(name)) return isRequired ? 1 : 2
  return shape.kind === 'group' ? 4 : 3
}

/** The fields of the flow itself; steps have separate forms. */
export const flowFields: readonly Field[] = readFields(flow).filter(({ name }) => name !== 'steps')

/** The metadata of a flow, without the canvas positions. */
export const metadataFields: readonly Field[] = readFields(metadata).filter(({ name }) => name !== 'layout')

/** Whether a step type has a field. */
export function canHave(type: string, name: string): boolean {
  return fieldsByType.get(type)?.some((field) => field.name === name) === true
}

/** The fields, plus a raw field for every unknown value. */
export function withUnknown(
  fields: readonly Field[],
  value: object,
  handled: ReadonlySet<string>,
): readonly Field[] {
  const known = new Set(fields.map(({ name }) => name))
  const others = Object.keys(value).filter((name) => !known.has(name) && !handled.has(name))
  return others.length === 0
    ? fields
    : [
        ...fields,
        ...others.map(
          (name): Field => ({
            name,
            description: 'Unknown field. Clear it to remove it.',
            isRequired: false,
            shape: readShape({}),
          }),
        ),
      ]
}
