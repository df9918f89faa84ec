import type { AgentDefinition, AgentStatus } from './definition.ts'

/** An agent, with one of its versions. */
export interface Agent {
  readonly id: string
  /** From 1, one more for each save. */
  readonly version: number
  readonly definition: AgentDefinition
  /** Only an active agent runs. */
  readonly status: AgentStatus
  /** The version that runs when a step names none. */
  readonly currentVersion: number
  /** A built-in agent: it can be disabled, but neither changed nor deleted. */
  readonly builtIn: boolean
  /** The account that created it; null for built-in agents. */
  readonly ownerId: string | null
  /** The account that saved this version. */
  readonly savedBy: string | null
  readonly savedAt: Date
  /** The author's description of the change. */
  readonly note: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The definition of `version` as it was saved. Versions of earlier releases have lost the order of their keys. */
export const writtenDefinition = `coalesce(version.written, version.definition::json) as definition`

/** The columns of an agent, from `agent` and `version`. */
export const agentColumns = `
  agent.id, version.version, ${writtenDefinition}, agent.status, agent.current_version as "currentVersion",
  agent.built_in as "builtIn", agent.owner_id as "ownerId", version.created_by as "savedBy",
  version.created_at as "savedAt", version.note, agent.created_at as "createdAt", agent.updated_at as "updatedAt"
`
