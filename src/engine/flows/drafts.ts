import type { Database } from '#kernel/database'
import type { FlowDefinition } from '../definition/flow.ts'

/** A flow that was run without being saved. It cannot be found: only its executions refer to it. */
export interface Draft {
  readonly flowId: string
  readonly version: number
}

/** Ids of flows contain no colon, so this id can neither be taken nor requested. */
const draftPrefix = 'draft:'

export function isDraft(flowId: string): boolean {
  return flowId.startsWith(draftPrefix)
}

/** Stores a draft for as long as its executions exist. All drafts of an account are versions of one flow, which is marked as deleted. */
export async function insertDraft(
  database: Pick<Database, 'query'>,
  definition: FlowDefinition,
  accountId: string,
): Promise<Draft> {
  const [row] = await database.query<Draft>(
    `
      with made as (
        insert into engine_flows (id, owner_id, current_version, deleted_at) values ($1, $2, 1, now())
        on conflict (id) do update set current_version = engine_flows.current_version + 1, updated_at = now()
        returning id, current_version
      )
      insert into engine_flow_versions (flow_id, version, definition, written, created_by)
      select id, current_version, $3::text::jsonb, $3::text::json, $2 from made
      returning flow_id as "flowId", version
    `,
    [`${draftPrefix}${accountId}`, accountId, JSON.stringify(uncounted(definition))],
  )
  if (row === undefined) throw new Error('the draft was not stored')
  return row
}

/** Drafts do not count in the history. */
function uncounted(definition: FlowDefinition): FlowDefinition {
  const { global_configuration: configuration = {} } = definition
  const monitoring = { ...configuration.monitoring, track_performance_metrics: false }
  return { ...definition, global_configuration: { ...configuration, monitoring } }
}

/** Deletes drafts without executions. Recent drafts are kept: they may be about to run. */
export async function pruneDrafts(
  database: Pick<Database, 'query'>,
  { olderThan }: { readonly olderThan: Date },
): Promise<void> {
  await database.query(
    `
      delete from engine_flow_versions as version
      where version.flow_id like '${draftPrefix}%'
        and version.created_at < $1
        and not exists (
          select from engine_executions as execution
          where execution.flow_id = version.flow_id and execution.flow_version = version.version
        )
    `,
    [olderThan],
  )
}
