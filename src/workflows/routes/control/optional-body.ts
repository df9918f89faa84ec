import { type Static, type TObject, Type } from 'typebox'

/** A body that may be left out: who has nothing to say sends nothing. */
export function optionalBody<Body extends TObject>(schema: Body) {
  return Type.Unsafe<Static<Body> | null | undefined>({ ...schema, nullable: true })
}
