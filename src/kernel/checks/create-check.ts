import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export interface Check<Value> {
  Check(value: unknown): value is Value
}

/**
 * A check of values against a schema, such as responses of other servers. It is compiled at the first use: a start has thirty of
 * them, and uses few.
 */
export function createCheck<const Schema extends TSchema>(schema: Schema): Check<Static<Schema>> {
  let compiled: Check<Static<Schema>> | undefined
  return {
    Check(value): value is Static<Schema> {
      compiled ??= Compile(schema) as Check<Static<Schema>>
      return compiled.Check(value)
    },
  }
}
