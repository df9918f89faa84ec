import type { Database } from '#kernel/database'
import type { FlowDefinition } from '../definition/flow.ts'

/** A flow that was run without being saved. It is nobody's to find: executions alone refer to it. */
export interface Draft {
  readonly flowId: string
  readonly version: number
}

/** No id of a flow has a colon, so nobody can take this one, or ask for it. */
const draftPrefix = 'draft:'

export function isDraft(flowId: string): boolean {
  return flowId.startsWith(draftPrefix)
}

/** Keeps a draft, for as long as executions of it are. All drafts of an account are versions of one flow, which is deleted from the start. */
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
      insert into engine_flow_versions (flow_id, version, definition, created_by)
      select id, current_version, $3, $2 from made
      returning flow_id as "flowId", version
    `,
    [`${draftPrefix}${accountId}`, accountId, JSON.stringify(uncounted(definition))],
  )
  if (row === undefined) throw new Error('the draft was not stored')
  return row
}

/** What is tried out says nothing about how flows do. */
function uncounted(definition: FlowDefinition): FlowDefinition {
  const { global_configuration: configuration = {} } = definition
  const monitoring = { ...configuration.monitoring, track_performance_metrics: false }
  return { ...definition, global_configuration: { ...configuration, monitoring } }
}

/** Forgets drafts whose executions are gone. Those that are young may have one in a moment. */
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
