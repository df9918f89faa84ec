import { isCondition, withInnerConditions } from './condition-forms.ts'
import type { Field, GroupShape, Shape } from './shape.ts'

/** The subset of JSON schema that the API description uses. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly description?: string
}

/** The form field of a schema. Schemas the form does not know become a JSON field, so that no field is missing. */
export function readShape(schema: Schema): Shape {
  const { type, enum: choices, anyOf, properties, additionalProperties, items } = schema
  if (anyOf !== undefined) return readUnion(anyOf.map(readShape))
  if (choices?.every((choice) => typeof choice === 'string') === true) return { kind: 'choice', choices }
  if (type === 'string') return { kind: 'text', most: schema.maxLength }
  if (type === 'boolean') return { kind: 'flag' }
  if (type === 'number' || type === 'integer') {
    return { kind: 'number', isWhole: type === 'integer', least: schema.minimum, most: schema.maximum }
  }
  if (type === 'array' && items !== undefined) {
    return { kind: 'list', entry: readShape(items), most: schema.maxItems }
  }
  if (type !== 'object') return { kind: 'json' }
  if (properties !== undefined) {
    const group: GroupShape = { kind: 'group', fields: readFields(schema) }
    return isCondition(group) ? withInnerConditions(group) : group
  }
  return typeof additionalProperties === 'object'
    ? { kind: 'record', entry: readShape(additionalProperties), most: schema.maxProperties }
    : { kind: 'json' }
}

/** The fields of an object, in schema order. */
export function readFields({ properties = {}, required = [] }: Schema): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    isRequired: required.includes(name),
    shape: readShape(schema),
  }))
}

function readUnion(shapes: readonly Shape[]): Shape {
  const simple = shapes.filter(
    (shape) => shape.kind === 'text' || shape.kind === 'number' || shape.kind === 'flag',
  )
  if (simple.length === shapes.length) return { kind: 'scalar', of: simple }
  const variants = readVariants(shapes)
  if (variants !== undefined) return variants
  const group = shapes.find((shape): shape is GroupShape => shape.kind === 'group')
  const text = simple.find((shape) => shape.kind === 'text')
  return group !== undefined && text !== undefined && shapes.length === 2
    ? { kind: 'group or text', group, text }
    : { kind: 'json' }
}

/** Objects that tell their type, as one group; undefined when the shapes are others. */
function readVariants(shapes: readonly Shape[]): GroupShape | undefined {
  const variants: Record<string, readonly Field[]> = {}
  for (const shape of shapes) {
    const type = shape.kind === 'group' ? shape.fields.find(({ name }) => name === 'type')?.shape : undefined
    const [only, ...others] = type?.kind === 'choice' ? type.choices : []
    if (shape.kind !== 'group' || only === undefined || others.length > 0) return undefined
    variants[only] = shape.fields.filter(({ name }) => name !== 'type')
  }
  const type: Field = {
    name: 'type',
    description: '',
    isRequired: true,
    shape: { kind: 'choice', choices: Object.keys(variants) },
  }
  const all = new Map(
    Object.values(variants)
      .flat()
      .toReversed()
      .map((field) => [field.name, field]),
  )
  return { kind: 'group', fields: [type, ...[...all.values()].toReversed()], variants }
}
