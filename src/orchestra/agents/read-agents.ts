import type { Database } from '#kernel/database'
import { type Agent, agentColumns } from './agent.ts'
import type { AgentStatus, Category } from './definition.ts'

/** Reads an agent with its current version, or with the given one. Undefined when it does not exist or was deleted. */
export async function readAgent(
  database: Pick<Database, 'query'>,
  id: string,
  version?: number,
): Promise<Agent | undefined> {
  const [agent] = await database.query<Agent>(
    `
      select ${agentColumns}
      from orchestra_agents as agent
      join orchestra_agent_versions as version
        on version.agent_id = agent.id and version.version = coalesce($2::bigint, agent.current_version)
      where agent.id = $1 and agent.deleted_at is null
    `,
    [id, version ?? null],
  )
  return agent
}

/** The versions of an agent, the newest first. */
export async function readVersions(
  database: Pick<Database, 'query'>,
  id: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Agent[]> {
  return await database.query<Agent>(
    `
      select ${agentColumns}
      from orchestra_agents as agent
      join orchestra_agent_versions as version on version.agent_id = agent.id
      where agent.id = $1 and agent.deleted_at is null
      order by version.version desc
      limit $2 offset $3
    `,
    [id, limit, offset],
  )
}

export interface AgentFilter {
  readonly category?: Category | undefined
  readonly status?: AgentStatus | undefined
}

/** Agents with their current versions, by label. There are few of them, so the list is not paged. */
export async function listAgents(
  database: Pick<Database, 'query'>,
  { category, status }: AgentFilter = {},
): Promise<Agent[]> {
  return await database.query<Agent>(
    `
      select ${agentColumns}
      from orchestra_agents as agent
      join orchestra_agent_versions as version
        on version.agent_id = agent.id and version.version = agent.current_version
      where agent.deleted_at is null
        and ($1::text is null or version.definition ->> 'category' = $1)
        and ($2::text is null or agent.status = $2)
      order by lower(version.definition ->> 'label'), agent.id
    `,
    [category ?? null, status ?? null],
  )
}
