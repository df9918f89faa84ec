/** The part of a JSON schema that decides about null. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly nullable?: boolean
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
}

/**
 * Removes optional fields that are null although their schema does not allow null: many clients send null for a field they leave out.
 * Free-form content, which no schema describes, keeps its nulls. Changes the data in place.
 */
export function removeAbsentFields(schema: object, data: unknown): void {
  const waiting: [schemas: readonly Schema[], value: unknown][] = [[alternativesOf(schema), data]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [schemas, value] = next
    if (Array.isArray(value)) {
      const items = schemas.flatMap((one) => (one.items === undefined ? [] : alternativesOf(one.items)))
      if (items.length > 0) for (const item of value) waiting.push([items, item])
    } else if (typeof value === 'object' && value !== null) {
      const fitting = schemas.filter((one) => isOfKind(one, value))
      for (const [name, field] of Object.entries(value)) {
        const fieldSchemas = fitting.flatMap((one) => schemaOfField(one, name) ?? [])
        if (fieldSchemas.length === 0) continue
        if (field !== null) waiting.push([fieldSchemas.flatMap(alternativesOf), field])
        else if (!fieldSchemas.some(allowsNull) && !fitting.some((one) => requires(one, name))) {
          Reflect.deleteProperty(value, name)
        }
      }
    }
  }
}

/** The schema and all schemas it is composed of. */
function alternativesOf(schema: Schema): readonly Schema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternativesOf)]
}

/** Whether the constants of the schema, such as a discriminator, match the object. Other members of a union do not apply to it. */
function isOfKind({ properties = {} }: Schema, value: object): boolean {
  return Object.entries(properties).every(([name, { const: kind }]) => {
    const given = (value as Readonly<Record<string, unknown>>)[name]
    return kind === undefined || given === undefined || given === kind
  })
}

function schemaOfField(schema: Schema, name: string): Schema | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, name)) return properties[name]
  const matching = Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))
  if (matching !== undefined) return matching[1]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** A field with a default is optional, even if the schema lists it as required. */
function requires({ required = [], properties = {} }: Schema, name: string): boolean {
  return required.includes(name) && properties[name]?.default === undefined
}

/** Whether the schema accepts null; a schema without a type does. */
export function allowsNull(schema: Schema): boolean {
  const { type, nullable, const: only, enum: values, anyOf, oneOf } = schema
  if (nullable === true || only === null || values?.includes(null) === true) return true
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return alternatives.some(allowsNull)
  if (type === undefined) return only === undefined && values === undefined
  return type === 'null' || type.includes('null')
}
