import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'

/** A file that waits to be fetched. */
export interface Download {
  readonly filename: string
  readonly mediaType: string
  readonly content: Uint8Array
}

const validForMs = 60 * 60_000

/** An account has no more than this waiting: the oldest goes for a new one. */
const mostOfAnAccount = 20

/** Keeps a file for an hour. Whoever has the token can fetch it. */
export async function keepDownload(
  executor: Executor,
  accountId: string | null,
  { filename, mediaType, content }: Download,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + validForMs)
  await runStatement(
    executor,
    `
      delete from tour_exports
      where token_hash in (
        select token_hash from tour_exports
        where account_id = $1
        order by created_at desc, token_hash
        offset $2
      )
    `,
    [accountId, mostOfAnAccount - 1],
  )
  await runStatement(
    executor,
    `
      insert into tour_exports (token_hash, account_id, filename, media_type, content, expires_at)
      values ($1, $2, $3, $4, $5, $6)
    `,
    [hashOf(token), accountId, filename, mediaType, Buffer.from(content), expiresAt],
  )
  return { token, expiresAt }
}

/** Undefined when there is none, or it has expired. */
export async function findDownload(
  database: Pick<Database, 'query'>,
  token: string,
  filename: string,
): Promise<Download | undefined> {
  const [row] = await database.query<{ filename: string; media_type: string; content: Buffer }>(
    `
      select filename, media_type, content from tour_exports
      where token_hash = $1 and filename = $2 and expires_at > now()
    `,
    [hashOf(token), filename],
  )
  return row === undefined
    ? undefined
    : { filename: row.filename, mediaType: row.media_type, content: row.content }
}

/** Removes files nobody can fetch any more. Answers how many. */
export async function pruneDownloads(database: Pick<Database, 'query'>): Promise<number> {
  const rows = await database.query('delete from tour_exports where expires_at <= now() returning 1', [])
  return rows.length
}

/** 256 bits of chance, so a plain hash keeps it safe. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
