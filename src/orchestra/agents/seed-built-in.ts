import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { AgentDefinition } from './definition.ts'
import { addVersion } from './write-agents.ts'

/**
 * Brings the agents of this release into the database. One of the same id that somebody made before a release brought one stays
 * theirs, and one that was switched off stays so. Processes that start together wait for each other at the row.
 */
export async function seedBuiltIn(database: Database, agents: readonly AgentDefinition[]): Promise<void> {
  const changed = await findChanged(database, agents)
  for (const definition of agents) if (changed.has(definition.id)) await seed(database, definition)
}

/** Nearly every start finds nothing to do, and asks once. */
async function findChanged(
  database: Pick<Database, 'query'>,
  agents: readonly AgentDefinition[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    `
      select given ->> 'id' as id
      from jsonb_array_elements($1) as given
      where not exists (
        select
        from orchestra_agents as agent
        join orchestra_agent_versions as version
          on version.agent_id = agent.id and version.version = agent.current_version
        where agent.id = given ->> 'id' and version.definition = given
      )
    `,
    [JSON.stringify(agents)],
  )
  return new Set(rows.map(({ id }) => id))
}

async function seed(database: Database, definition: AgentDefinition): Promise<void> {
  const { id } = definition
  await database.query(
    `
      with made as (
        insert into orchestra_agents (id, built_in, current_version) values ($1, true, 1)
        on conflict (id) do nothing
        returning id
      )
      insert into orchestra_agent_versions (agent_id, version, definition)
      select id, 1, $2 from made
    `,
    [id, JSON.stringify(definition)],
  )
  await database.transaction(async (transaction) => {
    const { rows } = await transaction.executeQuery<{ currentVersion: number }>(
      CompiledQuery.raw(
        'select current_version as "currentVersion" from orchestra_agents where id = $1 and built_in for update',
        [id],
      ),
    )
    const [row] = rows
    if (row === undefined) return
    const note = 'Came with a new release.'
    await addVersion(transaction, { id, ...row }, { definition, accountId: null, note })
  })
}
