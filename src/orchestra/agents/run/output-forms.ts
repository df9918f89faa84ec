import type { Problem } from '#kernel/errors'

type JsonSchema = Readonly<Record<string, unknown>>

/** Holds JSON against schemas that users wrote, away from everybody who could be kept waiting by one. */
export interface OutputForms {
  /** Throws `invalid_input`, which names what is wrong with the schema. */
  requireUsable(schema: JsonSchema): Promise<void>
  /** What is wrong with a value, which is JSON; nothing when it satisfies the schema. */
  findProblems(schema: JsonSchema, json: string): Promise<readonly Problem[]>
}
