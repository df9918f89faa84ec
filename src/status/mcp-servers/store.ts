import { type Database, storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { McpProbeResult, McpServerRow, McpTransport } from './server.ts'

const columns = `
  id, name, transport, secrets, enabled, allow_flows as "allowFlows", revision, state, took_ms as "tookMs", probed_at as "probedAt", seen_at as "seenAt",
  error, server_name as "serverName", server_version as "serverVersion", protocol_version as "protocolVersion", tools,
  tools_total as "toolsTotal", created_at as "createdAt", updated_at as "updatedAt"
`

interface Page {
  readonly limit: number
  readonly offset: number
}

interface NewServer {
  readonly id: string
  readonly name: string
  readonly transport: McpTransport
  readonly secrets: string | null
  readonly enabled: boolean
  readonly allowFlows: boolean
}

interface ServerChange {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
  readonly allowFlows?: boolean | undefined
  readonly transport?: McpTransport
  /** Of the transport. */
  readonly secrets?: string | null
}

/** The oldest first, so that a new server does not shift the pages. */
export async function listServers(
  database: Pick<Database, 'query'>,
  { limit, offset }: Page,
): Promise<McpServerRow[]> {
  return await database.query<McpServerRow>(
    `select ${columns} from status_mcp_servers order by created_at, id limit $1 offset $2`,
    [limit, offset],
  )
}

export async function readServer(executor: Executor, id: string): Promise<McpServerRow | undefined> {
  const [row] = await runStatement<McpServerRow>(
    executor,
    `select ${columns} from status_mcp_servers where id = $1`,
    [id],
  )
  return row
}

/** Finds a server by its name, in any case of letters. */
export async function findServer(
  database: Pick<Database, 'query'>,
  name: string,
): Promise<McpServerRow | undefined> {
  const [row] = await database.query<McpServerRow>(
    `select ${columns} from status_mcp_servers where lower(name) = lower($1)`,
    [name],
  )
  return row
}

/** Undefined when the limit is reached. */
export async function insertServer(
  executor: Executor,
  { id, name, transport, secrets, enabled, allowFlows }: NewServer,
  max: number,
): Promise<McpServerRow | undefined> {
  const [row] = await runStatement<McpServerRow>(
    executor,
    `
      insert into status_mcp_servers (id, name, transport, secrets, enabled, allow_flows)
      select $1, $2, $3, $4, $5, $6 where (select count(*) from status_mcp_servers) < $7
      returning ${columns}
    `,
    [id, name, JSON.stringify(transport), secrets, enabled, allowFlows, max],
  )
  return row
}

/** Changes the given fields. A new transport resets the probe results. */
export async function updateServer(
  executor: Executor,
  id: string,
  { name, transport, secrets = null, enabled, allowFlows }: ServerChange,
): Promise<McpServerRow | undefined> {
  const hasNewTransport = transport !== undefined
  const [row] = await runStatement<McpServerRow>(
    executor,
    `
      update status_mcp_servers
      set name = coalesce($2, name), enabled = coalesce($5, enabled), allow_flows = coalesce($6, allow_flows),
        revision = revision + 1, updated_at = now()
        ${hasNewTransport ? `, transport = $3::jsonb, secrets = $4::text, ${emptyMetadata}` : ''}
      where id = $1 ${hasNewTransport ? '' : 'and $3::jsonb is null and $4::text is null'}
      returning ${columns}
    `,
    [
      id,
      name ?? null,
      hasNewTransport ? JSON.stringify(transport) : null,
      secrets,
      enabled ?? null,
      allowFlows ?? null,
    ],
  )
  return row
}

const emptyMetadata = `
  state = 'unknown', took_ms = null, probed_at = null, seen_at = null, error = null, server_name = null, server_version = null,
  protocol_version = null, tools = '[]', tools_total = 0
`

export async function deleteServer(executor: Executor, id: string): Promise<McpServerRow | undefined> {
  const [row] = await runStatement<McpServerRow>(
    executor,
    `delete from status_mcp_servers where id = $1 returning ${columns}`,
    [id],
  )
  return row
}

/** Stores a result unless the server was changed during the probe. The description of an offline server stays. */
export async function storeProbeResult(
  database: Pick<Database, 'query'>,
  { id, revision }: Pick<McpServerRow, 'id' | 'revision'>,
  result: McpProbeResult,
  slowMs: number,
): Promise<void> {
  if ('error' in result) {
    await database.query(
      `
        update status_mcp_servers set state = 'offline', took_ms = $3, probed_at = now(), error = $4
        where id = $1 and revision = $2
      `,
      [id, revision, result.tookMs, result.error],
    )
    return
  }
  const { tookMs, info } = result
  await database.query(
    `
      update status_mcp_servers
      set state = $3, took_ms = $4, probed_at = now(), seen_at = now(), error = null, server_name = $5, server_version = $6,
        protocol_version = $7, tools = $8, tools_total = $9
      where id = $1 and revision = $2
    `,
    [
      id,
      revision,
      tookMs > slowMs ? 'degraded' : 'online',
      tookMs,
      info.serverName,
      info.serverVersion,
      info.protocolVersion,
      storableJson(info.tools),
      info.toolsTotal,
    ],
  )
}

interface DueOptions {
  readonly everyMs: number
  /** For programs that are online: each probe starts the program. */
  readonly programEveryMs: number
}

export async function listDue(
  database: Pick<Database, 'query'>,
  { everyMs, programEveryMs }: DueOptions,
): Promise<McpServerRow[]> {
  return await database.query<McpServerRow>(
    `
      select ${columns} from status_mcp_servers
      where enabled and (
        probed_at is null or probed_at > now()
        or probed_at <= now() - interval '1 millisecond' * case
          when transport ->> 'type' = 'stdio' and state in ('online', 'degraded') then $2::bigint else $1::bigint
        end
      )
      order by probed_at nulls first, id
    `,
    [everyMs, programEveryMs],
  )
}

export interface McpCount {
  readonly total: number
  readonly enabled: number
  /** Not probed since they were added or changed. */
  readonly unknown: number
  readonly online: number
  readonly degraded: number
  readonly offline: number
  /** The slowest response over HTTP. Programs are left out: their time includes the start. */
  readonly slowestMs: number | null
  /** When a server was last probed or changed. */
  readonly updatedAt: Date | null
  /** Of degraded and offline servers. */
  readonly names: readonly string[]
}

/** Disabled servers count in `total` only. */
export async function countServers(database: Pick<Database, 'query'>): Promise<McpCount> {
  const [row] = await database.query<McpCount>(
    `
      select count(*)::integer as total,
        count(*) filter (where enabled)::integer as enabled,
        count(*) filter (where enabled and state = 'unknown')::integer as unknown,
        count(*) filter (where enabled and state = 'online')::integer as online,
        count(*) filter (where enabled and state = 'degraded')::integer as degraded,
        count(*) filter (where enabled and state = 'offline')::integer as offline,
        max(took_ms) filter (
          where enabled and state in ('online', 'degraded') and transport ->> 'type' = 'http'
        ) as "slowestMs",
        max(greatest(updated_at, probed_at)) as "updatedAt",
        coalesce(
          array_agg(name order by name) filter (where enabled and state in ('degraded', 'offline')), '{}'
        ) as names
      from status_mcp_servers
    `,
  )
  if (row === undefined) throw new Error('the MCP servers could not be counted')
  return row
}
