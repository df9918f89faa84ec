import type { Problem } from '#kernel/errors'
import type { AgentDefinition } from './definition.ts'

/** Names of what an output can have; undefined when the schema does not say, or lets anything in. */
export function fieldsOf({ output_schema: schema = {} }: AgentDefinition): ReadonlySet<string> | undefined {
  const { properties } = schema as { readonly properties?: unknown }
  return typeof properties === 'object' && properties !== null ? new Set(Object.keys(properties)) : undefined
}

/** A field that would be accepted and ignored. */
export function noEffect(path: string, why: string): Problem {
  return { path, message: `has no effect: ${why}`, code: 'no_effect' }
}
