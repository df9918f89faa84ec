import type { Database } from '#kernel/database'
import type { RecordedContent } from './content.ts'

/** A row of `model_call_contents`. */
export interface CallContent extends RecordedContent {
  readonly callId: string
  readonly accountId: string
}

const insertStatement = `
  insert into model_call_contents (call_id, account_id, request, response, truncated)
  select call_id, account_id, request, nullif(response, 'null'::jsonb), truncated
  from json_to_recordset($1::json)
    as given (call_id uuid, account_id text, request jsonb, response jsonb, truncated boolean)
  on conflict (call_id) do nothing
`

export async function insertContents(database: Database, contents: readonly CallContent[]): Promise<void> {
  const rows = contents.map(({ callId, accountId, request, response, truncated }) => ({
    call_id: callId,
    account_id: accountId,
    request,
    response,
    truncated,
  }))
  await database.query(insertStatement, [JSON.stringify(rows)])
}

/** The recorded content of a call; undefined when none was recorded or it is deleted. */
export async function readContent(database: Database, callId: string): Promise<RecordedContent | undefined> {
  const [row] = await database.query<RecordedContent>(
    'select request, response, truncated from model_call_contents where call_id = $1::uuid',
    [callId],
  )
  return row
}

const chunkSize = 500

/** Ids start with the time, so the primary key serves as the index. */
const pruneStatement = `
  with removed as (
    delete from model_call_contents
    where call_id in (
      select call_id from model_call_contents where call_id < $1::uuid order by call_id limit ${chunkSize}
    )
    returning call_id
  )
  select count(*) as count from removed
`

/** Deletes the content of calls with a smaller id, which started earlier, in small commits. Returns the number of deleted rows. */
export async function pruneContents(
  database: Database,
  { beforeId, signal }: { readonly beforeId: string; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  let total = 0
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ count: number }>(pruneStatement, [beforeId])
    const count = chunk?.count ?? 0
    total += count
    if (count < chunkSize) return total
  }
}
