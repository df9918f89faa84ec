import { type Database, storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { Connection, ConnectionSettings, EncryptedConnection, StoredKind } from './connection.ts'

const columns = `
  id, account_id as "accountId", kind, name, settings, allowed_hosts as "allowedHosts", shared, revision,
  created_at as "createdAt", updated_at as "updatedAt", used_at as "usedAt"
`

/** Secrets, or connections. */
export type Part = 'secret' | 'connection'

const isOfPart = `(kind = 'secret') = ($1 = 'secret')`

export interface NewConnection {
  readonly id: string
  readonly accountId: string
  readonly kind: StoredKind
  readonly name: string
  readonly settings: ConnectionSettings
  readonly encrypted: string
  readonly allowedHosts: readonly string[]
  readonly shared: boolean
}

/** Undefined when the account has `max` secrets and connections already. */
export async function insertConnection(
  executor: Executor,
  { id, accountId, kind, name, settings, encrypted, allowedHosts, shared }: NewConnection,
  max: number,
): Promise<Connection | undefined> {
  const [row] = await runStatement<Connection>(
    executor,
    `
      insert into connections (id, account_id, kind, name, settings, encrypted, allowed_hosts, shared)
      select $1, $2, $3, $4, $5, $6, $7, $8
      where (select count(*) from connections where account_id = $2) < $9
      returning ${columns}
    `,
    [id, accountId, kind, name, storableJson(settings), encrypted, allowedHosts, shared, max],
  )
  return row
}

/** The account's own and the shared ones of other accounts, by name. */
export async function listConnections(
  database: Pick<Database, 'query'>,
  part: Part,
  accountId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly found: Connection[]; readonly total: number }> {
  const isVisible = `${isOfPart} and (account_id = $2 or shared)`
  const [found, [counted]] = await Promise.all([
    database.query<Connection>(
      `
        select ${columns} from connections where ${isVisible}
        order by name, account_id = $2 desc, id
        limit $3 offset $4
      `,
      [part, accountId, limit, offset],
    ),
    database.query<{ total: number }>(
      `select count(*)::integer as total from connections where ${isVisible}`,
      [part, accountId],
    ),
  ])
  return { found, total: counted?.total ?? 0 }
}

/** Those an account may use, with their encrypted values: of each name its own, else the shared one. */
export async function readUsable(
  database: Pick<Database, 'query'>,
  part: Part,
  accountId: string,
  names: readonly string[],
): Promise<EncryptedConnection[]> {
  return await database.query<EncryptedConnection>(
    `
      select distinct on (name) ${columns}, encrypted from connections
      where ${isOfPart} and name = any($3) and (account_id = $2 or shared)
      order by name, account_id = $2 desc
    `,
    [part, accountId, names],
  )
}

/** Locks one of the account's own. */
export async function lockConnection(
  executor: Executor,
  part: Part,
  accountId: string,
  name: string,
): Promise<EncryptedConnection | undefined> {
  const [row] = await runStatement<EncryptedConnection>(
    executor,
    `
      select ${columns}, encrypted from connections
      where ${isOfPart} and account_id = $2 and name = $3
      for no key update
    `,
    [part, accountId, name],
  )
  return row
}

export async function updateConnection(
  executor: Executor,
  id: string,
  {
    settings,
    encrypted,
    allowedHosts,
    shared,
  }: Pick<NewConnection, 'settings' | 'encrypted' | 'allowedHosts' | 'shared'>,
): Promise<Connection | undefined> {
  const [row] = await runStatement<Connection>(
    executor,
    `
      update connections
      set settings = $2, encrypted = $3, allowed_hosts = $4, shared = $5, revision = revision + 1, updated_at = now()
      where id = $1
      returning ${columns}
    `,
    [id, storableJson(settings), encrypted, allowedHosts, shared],
  )
  return row
}

export async function deleteConnection(executor: Executor, id: string): Promise<void> {
  await runStatement(executor, 'delete from connections where id = $1', [id])
}

/** Stores the time of use; once a minute is enough, so that a busy flow does not write a row for every call. */
export async function markUsed(database: Pick<Database, 'query'>, ids: readonly string[]): Promise<void> {
  await database.query(
    `
      update connections set used_at = now()
      where id = any($1) and (used_at is null or used_at < now() - interval '1 minute')
    `,
    [ids],
  )
}

/** Stores values that were encrypted again, unless they have changed since. */
export async function replaceEncrypted(
  database: Pick<Database, 'query'>,
  { id, encrypted }: Pick<EncryptedConnection, 'id' | 'encrypted'>,
  again: string,
): Promise<void> {
  await database.query('update connections set encrypted = $3 where id = $1 and encrypted = $2', [
    id,
    encrypted,
    again,
  ])
}
