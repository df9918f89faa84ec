import { type Static, type TSchema, Type } from 'typebox'

/** An id as we write it. Other spellings of the same one would not compare as equal. */
export const Id = Type.String({
  format: 'uuid',
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  'x-means': 'must be a UUID in lower case',
})

/** A time, or none. */
export const OptionalTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** The same or null, in the one way of saying so whose failures name what is wrong with the value. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, nullable: true })
}

/** A page of a list. */
export function listOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Object(
    { data: Type.Array(item), total: Type.Integer({ description: 'Entries on all pages together.' }) },
    { description },
  )
}
