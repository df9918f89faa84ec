import { isDeepStrictEqual } from 'node:util'
import { CompiledQuery, type Transaction } from 'kysely'
import { fieldOrder } from '#engine'
import type { Database, NoTables } from '#kernel/database'
import { orchestraFailure } from '../errors.ts'
import { type Agent, agentColumns, writtenDefinition } from './agent.ts'
import type { AgentDefinition, AgentStatus, Category } from './definition.ts'

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

/** A version to be saved. */
interface NewVersion {
  readonly definition: AgentDefinition
  /** The account that saves it. */
  readonly accountId: string | null
  readonly note: string | null
}

/** An agent whose row is locked until the transaction ends. */
interface LockedAgent {
  readonly id: string
  readonly currentVersion: number
  readonly builtIn: boolean
}

/** Creates an agent. A deleted id can be reused, and its version numbers continue. False when the id is taken. */
export async function insertAgent(
  database: Pick<Database, 'query'>,
  { definition, accountId, note, status }: NewVersion & { readonly status: AgentStatus },
): Promise<boolean> {
  const rows = await database.query(
    `
      with created as (
        insert into orchestra_agents (id, owner_id, status, current_version) values ($1, $2, $5, 1)
        on conflict (id) do update
        set owner_id = excluded.owner_id,
          status = excluded.status,
          current_version = orchestra_agents.current_version + 1,
          created_at = now(),
          updated_at = now(),
          deleted_at = null
        where orchestra_agents.deleted_at is not null and not orchestra_agents.built_in
        returning id, current_version
      )
      insert into orchestra_agent_versions (agent_id, version, definition, written, created_by, note)
      select id, current_version, $3::text::jsonb, $3::text::json, $2, $4 from created
      returning version
    `,
    [definition.id, accountId, JSON.stringify(definition), note, status],
  )
  return rows.length > 0
}

/** Locks an agent for a change. Throws `AGENT_NOT_FOUND`, or `AGENT_CONFLICT` when it is at another version than expected. */
export async function lockAgent(
  transaction: Transaction<NoTables>,
  id: string,
  expectedVersion: number | undefined,
): Promise<LockedAgent> {
  const { rows } = await transaction.executeQuery<LockedAgent>(
    CompiledQuery.raw(
      `
        select id, current_version as "currentVersion", built_in as "builtIn"
        from orchestra_agents
        where id = $1 and deleted_at is null
        for update
      `,
      [id],
    ),
  )
  const [locked] = rows
  if (locked === undefined) throw noSuchAgent(id)
  if (expectedVersion !== undefined && expectedVersion !== locked.currentVersion) {
    throw orchestraFailure('AGENT_CONFLICT', {
      message: `"${id}" was saved in between: it is at version ${locked.currentVersion} now, not ${expectedVersion}. Read it again and repeat your change.`,
      details: { agent_id: id, expected_version: expectedVersion, current_version: locked.currentVersion },
    })
  }
  return locked
}

export function refuseBuiltIn({ id, builtIn }: LockedAgent): void {
  if (!builtIn) return
  throw orchestraFailure('AGENT_CONFLICT', {
    message: `"${id}" comes with the platform: only its status can be changed. Save its definition under another id and change that agent.`,
    details: { agent_id: id, built_in: true },
  })
}

/** Keys whose order is shown: the parameters, and the fields of the output. */
const fields = ['parameters', 'properties']

/** Adds a version to a locked agent, unless the current one is the same, also in the order of its parameters. Returns whether it did. */
export async function addVersion(
  transaction: Transaction<NoTables>,
  { id, currentVersion }: Pick<LockedAgent, 'id' | 'currentVersion'>,
  { definition, accountId, note }: NewVersion,
): Promise<boolean> {
  const written = JSON.stringify(definition)
  const { rows: current } = await transaction.executeQuery<{ definition: AgentDefinition }>(
    CompiledQuery.raw(
      `select ${writtenDefinition} from orchestra_agent_versions as version where agent_id = $1 and version = $2`,
      [id, currentVersion],
    ),
  )
  const before = current[0]?.definition
  if (
    isDeepStrictEqual(before, JSON.parse(written)) &&
    fieldOrder(before, fields) === fieldOrder(definition, fields)
  )
    return false
  const { rows } = await transaction.executeQuery<{ version: number }>(
    CompiledQuery.raw(
      `
        insert into orchestra_agent_versions (agent_id, version, definition, written, created_by, note)
        values ($1, $2::bigint + 1, $3::text::jsonb, $3::text::json, $4, $5)
        returning version
      `,
      [id, currentVersion, written, accountId, note],
    ),
  )
  const [added] = rows
  if (added === undefined) return false
  await transaction.executeQuery(
    CompiledQuery.raw('update orchestra_agents set current_version = $2, updated_at = now() where id = $1', [
      id,
      added.version,
    ]),
  )
  return true
}

/** Sets the status of a locked agent. Returns whether it changed. */
export async function setStatus(
  transaction: Transaction<NoTables>,
  { id }: LockedAgent,
  status: AgentStatus,
): Promise<boolean> {
  const { rows } = await transaction.executeQuery(
    CompiledQuery.raw(
      `
        update orchestra_agents set status = $2, updated_at = now()
        where id = $1 and status <> $2
        returning id
      `,
      [id, status],
    ),
  )
  return rows.length > 0
}

/** Soft-deletes a locked agent. Its outputs, versions and ratings stay. */
export async function hideAgent(transaction: Transaction<NoTables>, { id }: LockedAgent): Promise<void> {
  await transaction.executeQuery(
    CompiledQuery.raw('update orchestra_agents set deleted_at = now(), updated_at = now() where id = $1', [
      id,
    ]),
  )
}

export function noSuchAgent(id: string, suggestions: readonly string[] = []) {
  return orchestraFailure('AGENT_NOT_FOUND', {
    message: `There is no agent "${id}".${suggestions[0] === undefined ? '' : ` Is "${suggestions[0]}" meant?`}`,
    details: { agent_id: id, ...(suggestions.length > 0 && { suggestions }) },
  })
}

export function noSuchVersion(id: string, version: number, currentVersion: number) {
  return orchestraFailure('AGENT_NOT_FOUND', {
    message: `"${id}" has no version ${version}; its versions go up to ${currentVersion}.`,
    details: { agent_id: id, version, current_version: currentVersion },
  })
}
