import type { Database } from '#kernel/database'
import type { FlowRef } from '../execution/sub-flows.ts'

/**
 * Whether an account owns a flow and has saved this version of it. Both count: a flow may be changed by others than its owner, and the owner
 * of a deleted flow's id may be another one than before. Deleted flows and drafts count, too, because their executions continue.
 */
export async function isOwnVersion(
  database: Pick<Database, 'query'>,
  { id, version }: FlowRef,
  accountId: string,
): Promise<boolean> {
  const found = await database.query(
    `
      select
      from engine_flows as flow
      join engine_flow_versions as version on version.flow_id = flow.id
      where flow.id = $1 and version.version = $2 and flow.owner_id = $3 and version.created_by = $3
    `,
    [id, version, accountId],
  )
  return found.length > 0
}
