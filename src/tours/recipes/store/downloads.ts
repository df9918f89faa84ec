import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import { type Executor, type RecurringTask, runStatement } from '#kernel/work'

/** An exported file. */
export interface Download {
  readonly filename: string
  readonly mediaType: string
  readonly content: Uint8Array
}

const lifetimeMs = 60 * 60_000

/** The maximum number of stored files of one account: a new file replaces the oldest. */
const maxPerAccount = 20

/** Stores a file for an hour. The token is all that a download needs. */
export async function storeDownload(
  executor: Executor,
  accountId: string | null,
  { filename, mediaType, content }: Download,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + lifetimeMs)
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
    [accountId, maxPerAccount - 1],
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

/** Undefined when there is no such file or it has expired. */
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

/** Deletes expired files every ten minutes. */
export function createPruneDownloadsTask(database: Database): RecurringTask {
  return {
    name: 'tours.prune_exports',
    everyMs: 10 * 60_000,
    async run() {
      await pruneDownloads(database)
    },
  }
}

/** Deletes expired files and returns their number. */
export async function pruneDownloads(database: Pick<Database, 'query'>): Promise<number> {
  const rows = await database.query('delete from tour_exports where expires_at <= now() returning 1', [])
  return rows.length
}

/** 256 random bits, so a fast hash without salt is safe. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
