import type { Problem } from '#kernel/errors'

type JsonSchema = Readonly<Record<string, unknown>>

/** Validates JSON against schemas of users, outside of the main thread: a schema can take long. */
export interface OutputForms {
  /** Throws `invalid_input` with the problems of the schema. */
  requireUsable(schema: JsonSchema): Promise<void>
  /** The problems of a JSON value; empty when it matches the schema. */
  findProblems(schema: JsonSchema, json: string): Promise<readonly Problem[]>
}
