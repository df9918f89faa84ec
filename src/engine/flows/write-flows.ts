import { CompiledQuery, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { FlowDefinition } from '../definition/flow.ts'
import { engineFailure } from '../errors.ts'
import { fieldOrder } from './field-order.ts'
import type { FlowMetadata } from './flow-metadata.ts'
import { writtenDefinition } from './read-flows.ts'

/** A version to be inserted. */
export interface NewVersion {
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  /** The account that saves it. */
  readonly accountId: string | null
  readonly note: string | null
}

/** A flow whose row is locked until the transaction ends. */
export interface LockedFlow {
  readonly id: string
  readonly currentVersion: number
}

/** Creates a flow. The id of a deleted flow may be reused, and its versions continue. False: the id is taken. */
export async function insertFlow(
  database: Pick<Database, 'query'>,
  { definition, metadata, accountId, note }: NewVersion,
): Promise<boolean> {
  const rows = await database.query<{ version: number }>(
    `
      with made as (
        insert into engine_flows (id, owner_id, current_version) values ($1, $2, 1)
        on conflict (id) do update
        set owner_id = excluded.owner_id,
          current_version = engine_flows.current_version + 1,
          created_at = now(),
          updated_at = now(),
          deleted_at = null,
          disabled_at = null,
          disabled_by = null
        where engine_flows.deleted_at is not null and not engine_flows.built_in
        returning id, current_version
      )
      insert into engine_flow_versions (flow_id, version, definition, written, metadata, created_by, note)
      select id, current_version, $3::text::jsonb, $3::text::json, $4, $2, $5 from made
      returning version
    `,
    [definition.id, accountId, JSON.stringify(definition), JSON.stringify(metadata), note],
  )
  return rows.length > 0
}

/** Locks a flow for a change. Throws `flow_not_found`, or `flow_conflict` when it is built-in or has a newer version. */
export async function lockFlow(
  transaction: Transaction<NoTables>,
  id: string,
  expectedVersion: number | undefined,
): Promise<LockedFlow> {
  const { rows } = await transaction.executeQuery<{ current_version: number; built_in: boolean }>(
    CompiledQuery.raw(
      'select current_version, built_in from engine_flows where id = $1 and deleted_at is null for update',
      [id],
    ),
  )
  const [row] = rows
  if (row === undefined) throw noSuchFlow(id)
  if (row.built_in) {
    throw engineFailure('flow_conflict', {
      message: `"${id}" comes with the platform and stays as it is. Save its definition under another id, and change that one.`,
      details: { flow_id: id, built_in: true },
    })
  }
  if (expectedVersion !== undefined && expectedVersion !== row.current_version) {
    throw engineFailure('flow_conflict', {
      message: `"${id}" was saved in between: it is at version ${row.current_version} now, not ${expectedVersion}. Read it again, and make your change there.`,
      details: { flow_id: id, expected_version: expectedVersion, current_version: row.current_version },
    })
  }
  return { id, currentVersion: row.current_version }
}

/** The stored metadata of a locked flow. */
export async function readMetadata(
  transaction: Transaction<NoTables>,
  { id, currentVersion }: LockedFlow,
): Promise<FlowMetadata> {
  const { rows } = await transaction.executeQuery<{ metadata: FlowMetadata }>(
    CompiledQuery.raw('select metadata from engine_flow_versions where flow_id = $1 and version = $2', [
      id,
      currentVersion,
    ]),
  )
  return rows[0]?.metadata ?? {}
}

/** The keys of JSON schemas whose order is shown: the form of a human step, the parameters of a tool. */
const fields = ['properties']

/** Adds a version to a locked flow, unless the current one is equal, also in the order of the fields of its forms. Returns whether it did. */
export async function addVersion(
  transaction: Transaction<NoTables>,
  { id, currentVersion }: LockedFlow,
  { definition, metadata, accountId, note }: NewVersion,
): Promise<boolean> {
  const written = JSON.stringify(definition)
  const { rows: current } = await transaction.executeQuery<{ definition: FlowDefinition }>(
    CompiledQuery.raw(
      `select ${writtenDefinition} from engine_flow_versions as version where flow_id = $1 and version = $2`,
      [id, currentVersion],
    ),
  )
  const isReordered = fieldOrder(current[0]?.definition, fields) !== fieldOrder(definition, fields)
  const { rows } = await transaction.executeQuery<{ version: number }>(
    CompiledQuery.raw(
      `
        insert into engine_flow_versions (flow_id, version, definition, written, metadata, created_by, note)
        select version.flow_id, version.version + 1, $3::text::jsonb, $3::text::json, $4::jsonb, $5, $6
        from engine_flow_versions as version
        where version.flow_id = $1
          and version.version = $2
          and (version.definition <> $3::text::jsonb or version.metadata <> $4::jsonb or $7)
        returning version
      `,
      [id, currentVersion, written, JSON.stringify(metadata), accountId, note, isReordered],
    ),
  )
  const [added] = rows
  if (added === undefined) return false
  await transaction.executeQuery(
    CompiledQuery.raw('update engine_flows set current_version = $2, updated_at = now() where id = $1', [
      id,
      added.version,
    ]),
  )
  return true
}

/** Marks a locked flow as deleted, and deletes its memories. Returns the number of its unfinished executions. */
export async function hideFlow(
  transaction: Transaction<NoTables>,
  { id }: Pick<LockedFlow, 'id'>,
): Promise<number> {
  await transaction.executeQuery(
    CompiledQuery.raw('update engine_flows set deleted_at = now(), updated_at = now() where id = $1', [id]),
  )
  await transaction.executeQuery(CompiledQuery.raw('delete from engine_memories where flow_id = $1', [id]))
  const { rows } = await transaction.executeQuery<{ open: number }>(
    CompiledQuery.raw(
      `select count(*)::integer as open from engine_executions where flow_id = $1 and work_state <> 'finished'`,
      [id],
    ),
  )
  return rows[0]?.open ?? 0
}

export function noSuchFlow(id: string, suggestions: readonly string[] = []) {
  return engineFailure('flow_not_found', {
    message: `There is no flow "${id}".${suggestions[0] === undefined ? '' : ` Is "${suggestions[0]}" meant?`}`,
    details: { flow_id: id, ...(suggestions.length > 0 && { suggestions }) },
  })
}

export function noSuchVersion(id: string, version: number, currentVersion: number) {
  return engineFailure('flow_not_found', {
    message: `"${id}" has no version ${version}; its versions go up to ${currentVersion}.`,
    details: { flow_id: id, version, current_version: currentVersion },
  })
}
