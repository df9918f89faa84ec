import type { Agents } from '../agents/agents.ts'
import type { ContentOf } from './build-definition.ts'

/** Reads the output format of agents. An unknown agent has no content; saving its workflow reports the error. */
export function createContentOf({ find }: Pick<Agents, 'find'>): ContentOf {
  return async (id, version) => {
    const agent = await find(id, version)
    if (agent === undefined) return undefined
    const { output_format: format, content_field: field } = agent.definition
    if (format !== 'json') return 'whole'
    return field === undefined ? undefined : { field }
  }
}
