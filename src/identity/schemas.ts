import { type Static, type TSchema, Type } from 'typebox'

/** A lower-case UUID: ids are compared as text, so an upper-case spelling would not be equal. */
export const Id = Type.String({
  format: 'uuid',
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  'x-means': 'must be a UUID in lower case',
})

export const OptionalTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** The schema or null. Uses `nullable` and not a union, because a union's validation errors do not name the problem. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, nullable: true })
}

/** The response schema of one page of a list. */
export function listOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Object(
    { data: Type.Array(item), total: Type.Integer({ description: 'Number of entries on all pages.' }) },
    { description },
  )
}
