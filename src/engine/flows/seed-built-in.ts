import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { FlowDefinition } from '../definition/flow.ts'
import type { FlowMetadata } from './flow-metadata.ts'
import { addVersion } from './write-flows.ts'

/** A built-in flow. */
export interface BuiltInFlow {
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
}

/**
 * Brings the built-in flows of this release into the database. A user's flow with the same id is kept. Processes that start together
 * wait for each other at the row, and the second one finds nothing to do.
 */
export async function seedBuiltIn(database: Database, flows: readonly BuiltInFlow[]): Promise<void> {
  const changed = await findChanged(database, flows)
  for (const flow of flows) if (changed.has(flow.definition.id)) await seed(database, flow)
}

/** Nearly every start finds nothing to do, with a single query. */
async function findChanged(
  database: Pick<Database, 'query'>,
  flows: readonly BuiltInFlow[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    `
      select given.definition ->> 'id' as id
      from json_to_recordset($1) as given (definition json, metadata jsonb)
      where not exists (
        select
        from engine_flows as flow
        join engine_flow_versions as version
          on version.flow_id = flow.id and version.version = flow.current_version
        where flow.id = given.definition ->> 'id'
          and version.definition = given.definition::text::jsonb
          and version.written::text = given.definition::text
          and version.metadata = given.metadata
      )
    `,
    [JSON.stringify(flows)],
  )
  return new Set(rows.map(({ id }) => id))
}

async function seed(database: Database, { definition, metadata }: BuiltInFlow): Promise<void> {
  const { id } = definition
  await database.query(
    `
      with made as (
        insert into engine_flows (id, built_in, current_version) values ($1, true, 1)
        on conflict (id) do nothing
        returning id
      )
      insert into engine_flow_versions (flow_id, version, definition, written, metadata)
      select id, 1, $2::text::jsonb, $2::text::json, $3 from made
    `,
    [id, JSON.stringify(definition), JSON.stringify(metadata)],
  )
  await database.transaction(async (transaction) => {
    const { rows } = await transaction.executeQuery<{ current_version: number }>(
      CompiledQuery.raw(
        'select current_version from engine_flows where id = $1 and built_in and deleted_at is null for update',
        [id],
      ),
    )
    const [row] = rows
    if (row === undefined) return
    const note = 'Came with a new release.'
    const current = { id, currentVersion: row.current_version }
    if (await addVersion(transaction, current, { definition, metadata, accountId: null, note })) return
    // The same flow, written by an earlier release or with its keys in another order.
    await transaction.executeQuery(
      CompiledQuery.raw(
        'update engine_flow_versions set written = $3::json where flow_id = $1 and version = $2',
        [id, row.current_version, JSON.stringify(definition)],
      ),
    )
  })
}
