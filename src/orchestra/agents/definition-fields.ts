import type { Problem } from '#kernel/errors'
import type { AgentDefinition } from './definition.ts'

/** The property names of the output schema; undefined when it names none. */
export function fieldsOf({ output_schema: schema = {} }: AgentDefinition): ReadonlySet<string> | undefined {
  const { properties } = schema as { readonly properties?: unknown }
  return typeof properties === 'object' && properties !== null ? new Set(Object.keys(properties)) : undefined
}

/** The problem of a field that would be ignored. */
export function noEffect(path: string, why: string): Problem {
  return { path, message: `has no effect: ${why}`, code: 'no_effect' }
}
