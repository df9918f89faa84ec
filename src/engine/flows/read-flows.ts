import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { redactCredentials } from '../definition/credentials.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import { type Graph, readGraph } from '../graph/graph.ts'
import type { FlowMetadata } from './flow-metadata.ts'

/** One version of a flow. It never changes. */
interface FlowVersion {
  readonly flowId: string
  /** From 1, one more for each save. */
  readonly version: number
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  /** The account that saved it; null for built-in flows. */
  readonly createdBy: string | null
  /** The author's description of the change. */
  readonly note: string | null
  readonly createdAt: Date
}

/** A flow with one of its versions. */
export interface Flow extends FlowVersion {
  /** The version that runs by default. */
  readonly currentVersion: number
  /** The account that created it; null for built-in flows. */
  readonly ownerId: string | null
  /** Built-in flows can neither be changed nor deleted. */
  readonly builtIn: boolean
  /** When it was disabled; null: it is enabled. */
  readonly disabledAt: Date | null
  readonly flowCreatedAt: Date
  readonly flowUpdatedAt: Date
}

/** Reads a flow with its current or another version. Undefined: it does not exist, or was deleted. */
export async function readFlow(executor: Executor, id: string, version?: number): Promise<Flow | undefined> {
  const [row] = await runStatement<FlowRow>(
    executor,
    `
      select ${flowColumns}
      from engine_flows as flow
      join engine_flow_versions as version
        on version.flow_id = flow.id and version.version = coalesce($2, flow.current_version)
      where flow.id = $1 and flow.deleted_at is null
    `,
    [id, version ?? null],
  )
  return row && toFlow(row)
}

/** The definition of `version` as it was saved. Versions of earlier releases have lost the order of their keys. */
export const writtenDefinition = `coalesce(version.written, version.definition::json) as definition`

/** The definition with credentials, for saving and comparing; never for responses. Undefined: it does not exist. */
export async function readStoredDefinition(
  database: Pick<Database, 'query'>,
  id: string,
  version?: number,
): Promise<FlowDefinition | undefined> {
  const [row] = await database.query<{ definition: FlowDefinition }>(
    `
      select ${writtenDefinition}
      from engine_flows as flow
      join engine_flow_versions as version
        on version.flow_id = flow.id and version.version = coalesce($2, flow.current_version)
      where flow.id = $1 and flow.deleted_at is null
    `,
    [id, version ?? null],
  )
  return row?.definition
}

/** A cache of definitions by flow and version. A version never changes, so entries never expire. */
export interface FlowVersions {
  read(flowId: string, version: number): Promise<FlowDefinition>
  /** Reads inside a transaction, on its connection: waiting for another connection could deadlock the pool. */
  readInside(transaction: Executor, flowId: string, version: number): Promise<FlowDefinition>
  /** The graph of a definition from this cache. */
  graphOf(definition: FlowDefinition): Graph
}

const maxRemembered = 500

export function createFlowVersions(database: Pick<Database, 'query'>): FlowVersions {
  const remembered = new Map<string, FlowDefinition>()
  const loading = new Map<string, Promise<FlowDefinition>>()
  const graphs = new WeakMap<FlowDefinition, Graph>()

  async function load(executor: Executor, flowId: string, version: number): Promise<FlowDefinition> {
    const [row] = await runStatement<{ definition: FlowDefinition }>(
      executor,
      `select ${writtenDefinition} from engine_flow_versions as version where flow_id = $1 and version = $2`,
      [flowId, version],
    )
    if (row === undefined) throw new Error(`flow ${flowId} has no version ${version}`)
    const name = nameOf(flowId, version)
    const definition = remembered.get(name) ?? row.definition
    remembered.set(name, definition)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    return definition
  }

  return {
    async read(flowId, version) {
      const name = nameOf(flowId, version)
      const known = remembered.get(name)
      if (known !== undefined) return known
      // Concurrent callers share one query.
      const asked = loading.get(name) ?? load(database, flowId, version).finally(() => loading.delete(name))
      loading.set(name, asked)
      return await asked
    },
    async readInside(transaction, flowId, version) {
      return remembered.get(nameOf(flowId, version)) ?? (await load(transaction, flowId, version))
    },
    graphOf(definition) {
      const graph = graphs.get(definition) ?? readGraph(definition.steps)
      graphs.set(definition, graph)
      return graph
    },
  }
}

function nameOf(flowId: string, version: number): string {
  return `${version} ${flowId}`
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** The versions of a flow, the newest first. */
export async function readVersions(
  database: Pick<Database, 'query'>,
  id: string,
  { limit, offset }: Page,
): Promise<{ readonly versions: Flow[]; readonly total: number }> {
  const [rows, [count]] = await Promise.all([
    database.query<FlowRow>(
      `
        select ${flowColumns}
        from engine_flows as flow
        join engine_flow_versions as version on version.flow_id = flow.id
        where flow.id = $1 and flow.deleted_at is null
        order by version.version desc
        limit $2 offset $3
      `,
      [id, limit, offset],
    ),
    database.query<{ total: number }>(
      `
        select count(*)::integer as total
        from engine_flows as flow
        join engine_flow_versions as version on version.flow_id = flow.id
        where flow.id = $1 and flow.deleted_at is null
      `,
      [id],
    ),
  ])
  return { versions: rows.map(toFlow), total: count?.total ?? 0 }
}

export interface FlowFilter extends Page {
  /** A substring of its id, label, description, tags or use cases. */
  readonly search?: string | undefined
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly department?: string | undefined
  readonly complexity?: string | undefined
  readonly ownerId?: string | undefined
  readonly builtIn?: boolean | undefined
  /** Only flows with agent steps, or only those without. */
  readonly withAgents?: boolean | undefined
  /** Only enabled flows, or only disabled ones. */
  readonly enabled?: boolean | undefined
}

/** Containers are nested at most three deep. */
const hasAgentStep = `$.steps[*] ? (${[0, 1, 2, 3].map((depth) => `@${'.steps[*]'.repeat(depth)}.type == "agent"`).join(' || ')})`

/** The filter condition. A parameter that is null does not filter. */
const matching = `
  from engine_flows as flow
  join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
  where flow.deleted_at is null
    and ($1::text is null or flow.id ilike $1
      or version.definition ->> 'label' ilike $1
      or version.definition ->> 'description' ilike $1
      or version.definition ->> 'tags' ilike $1
      or version.metadata ->> 'use_cases' ilike $1)
    and ($2::text is null or version.definition ->> 'category' = $2)
    and ($3::text is null or version.definition -> 'tags' ? $3)
    and ($4::text is null or version.metadata ->> 'department' = $4)
    and ($5::text is null or version.metadata ->> 'complexity_level' = $5)
    and ($6::uuid is null or flow.owner_id = $6)
    and ($7::boolean is null or flow.built_in = $7)
    and ($8::boolean is null or $8 = (version.definition @? '${hasAgentStep}'))
    and ($9::boolean is null or $9 = (flow.disabled_at is null))
`

/** Flows with their current versions, the oldest first, so that new ones do not shift the pages. */
export async function listFlows(
  database: Pick<Database, 'query'>,
  {
    search,
    category,
    tag,
    department,
    complexity,
    ownerId,
    builtIn,
    withAgents,
    enabled,
    limit,
    offset,
  }: FlowFilter,
): Promise<{ readonly flows: Flow[]; readonly total: number }> {
  const filter = [
    search === undefined ? null : `%${escapeLike(search)}%`,
    category ?? null,
    tag ?? null,
    department ?? null,
    complexity ?? null,
    ownerId ?? null,
    builtIn ?? null,
    withAgents ?? null,
    enabled ?? null,
  ]
  const [rows, [count]] = await Promise.all([
    database.query<FlowRow>(
      `select ${flowColumns} ${matching} order by flow.created_at, flow.id limit $10 offset $11`,
      [...filter, limit, offset],
    ),
    database.query<{ total: number }>(`select count(*)::integer as total ${matching}`, filter),
  ])
  return { flows: rows.map(toFlow), total: count?.total ?? 0 }
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
}

const maxIdsCompared = 2000

/** The ids of all flows, for suggestions. */
export async function readFlowIds(database: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    'select id from engine_flows where deleted_at is null order by created_at, id limit $1',
    [maxIdsCompared],
  )
  return rows.map(({ id }) => id)
}

interface FlowRow {
  readonly flow_id: string
  readonly version: number
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  readonly created_by: string | null
  readonly note: string | null
  readonly created_at: Date
  readonly current_version: number
  readonly owner_id: string | null
  readonly built_in: boolean
  readonly disabled_at: Date | null
  readonly flow_created_at: Date
  readonly flow_updated_at: Date
}

/** The columns of a FlowRow, from `flow` and `version`. */
const flowColumns = `
  version.flow_id, version.version, ${writtenDefinition}, version.metadata, version.created_by, version.note, version.created_at,
  flow.current_version, flow.owner_id, flow.built_in, flow.disabled_at, flow.created_at as flow_created_at, flow.updated_at as flow_updated_at
`

/** The flow with credentials redacted. Only executions and saving read credentials, with statements of their own. */
function toFlow(row: FlowRow): Flow {
  return {
    flowId: row.flow_id,
    version: row.version,
    definition: redactCredentials(row.definition),
    metadata: row.metadata,
    createdBy: row.created_by,
    note: row.note,
    createdAt: row.created_at,
    currentVersion: row.current_version,
    ownerId: row.owner_id,
    builtIn: row.built_in,
    disabledAt: row.disabled_at,
    flowCreatedAt: row.flow_created_at,
    flowUpdatedAt: row.flow_updated_at,
  }
}
