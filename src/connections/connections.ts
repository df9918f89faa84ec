import { randomUUID } from 'node:crypto'
import { type Database, isUniqueViolation } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { kernelFailure } from '#kernel/errors'
import type { Events, EventTransaction } from '#kernel/events'
import type { Outbound } from '#kernel/outbound'
import { checkConnection, type WantedConnection } from './check-connection.ts'
import { type Connection, encryptFields, maxPerAccount } from './connection.ts'
import { connectionsFailure } from './errors.ts'
import { createOAuthTokens } from './oauth-tokens.ts'
import { createSecretReader, type SecretReader } from './read-secrets.ts'
import {
  deleteConnection,
  insertConnection,
  listConnections,
  lockConnection,
  type Part,
  readUsable,
  updateConnection,
} from './store.ts'
import { type TestResult, testConnection } from './test-connection.ts'

/** The account, address and client that made a change, as its audit event stores them. */
export interface ChangeAuthor {
  readonly by: string
  readonly ip: string
  readonly user_agent: string | null
}

/** Fields that are left out stay as they are. The kind never changes. */
export type ConnectionChange = Partial<Omit<WantedConnection, 'kind'>>

/** Secrets and connections of accounts. Encrypted values are never returned. */
export interface Connections {
  list(
    part: Part,
    accountId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly found: readonly Connection[]; readonly total: number }>
  /** The account's own, else the shared one of this name. Throws `secret_not_found` or `connection_not_found`. */
  read(part: Part, accountId: string, name: string): Promise<Connection>
  /** Throws `invalid_input`, `conflict` when the name is taken or the account has too many, and `secret_missing`. */
  add(name: string, wanted: WantedConnection, author: ChangeAuthor): Promise<Connection>
  /** Changes one of the account's own. Throws `secret_not_found`, `connection_not_found`, `invalid_input`, `conflict`, `secret_missing`. */
  change(part: Part, name: string, change: ConnectionChange, author: ChangeAuthor): Promise<Connection>
  /** Removes one of the account's own. Throws `secret_not_found` or `connection_not_found`. */
  remove(part: Part, name: string, author: ChangeAuthor): Promise<void>
  /** Sends one request with the credentials. Throws `connection_not_found`, and `invalid_input` for a URL of another host. */
  test(
    accountId: string,
    name: string,
    options: { readonly url: string | undefined; readonly signal: AbortSignal },
  ): Promise<TestResult>
  /** The values, for executions. */
  readonly reader: SecretReader
}

export interface ConnectionsOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly events: Pick<Events, 'appendWithin'>
  readonly outbound: Pick<Outbound, 'request' | 'stream'>
}

/** Creates the module. Reads nothing yet and does not throw. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { database, encryption, events, outbound } = options
  const reader = createSecretReader({ database, encryption, tokens: createOAuthTokens(outbound) })

  async function writeEvent(
    transaction: EventTransaction,
    change: 'added' | 'changed' | 'removed',
    connection: Connection,
    { author, changed }: { readonly author: ChangeAuthor; readonly changed?: readonly string[] },
  ): Promise<void> {
    const { kind, name, allowedHosts: allowed_hosts, shared, revision } = connection
    await events.appendWithin(transaction, {
      type: `connections.${change}`,
      subject: connection.id,
      data: { kind, name, allowed_hosts, shared, revision, ...(changed && { changed }), ...author },
    })
  }

  return {
    list: (part, accountId, page) => listConnections(database, part, accountId, page),

    async read(part, accountId, name) {
      const [found] = await readUsable(database, part, accountId, [name])
      return found ?? throwNotFound(part, name)
    },

    async add(name, wanted, author) {
      const allowedHosts = checkConnection(wanted, undefined)
      const { kind, settings, fields = {}, shared } = wanted
      const id = randomUUID()
      const encrypted = await encryptFields(encryption, id, fields)
      const row = { id, accountId: author.by, kind, name, settings, encrypted, allowedHosts, shared }
      return await withFreeName(name, () =>
        database.transaction(async (transaction) => {
          const added = await insertConnection(transaction, row, maxPerAccount)
          if (added === undefined) throw tooMany()
          await writeEvent(transaction, 'added', added, { author })
          return added
        }),
      )
    },

    async change(part, name, change, author) {
      return await withFreeName(name, () =>
        database.transaction(async (transaction) => {
          const before = await lockConnection(transaction, part, author.by, name)
          if (before === undefined) return throwNotFound(part, name)
          const wanted = { ...before, fields: undefined, ...change }
          const allowedHosts = checkConnection(wanted, before)
          const { settings, fields, shared } = wanted
          const encrypted =
            fields === undefined ? before.encrypted : await encryptFields(encryption, before.id, fields)
          const after = await updateConnection(transaction, before.id, {
            settings,
            encrypted,
            allowedHosts,
            shared,
          })
          if (after === undefined) return throwNotFound(part, name)
          await writeEvent(transaction, 'changed', after, { author, changed: changedFields(part, change) })
          return after
        }),
      )
    },

    async remove(part, name, author) {
      await database.transaction(async (transaction) => {
        const row = (await lockConnection(transaction, part, author.by, name)) ?? throwNotFound(part, name)
        await deleteConnection(transaction, row.id)
        await writeEvent(transaction, 'removed', row, { author })
      })
    },

    async test(accountId, name, given) {
      const [row] = await readUsable(database, 'connection', accountId, [name])
      if (row === undefined) return throwNotFound('connection', name)
      return await testConnection({ reader, outbound }, { ...given, accountId, connection: row })
    },

    reader,
  }
}

function changedFields(part: Part, change: ConnectionChange): string[] {
  const names = {
    settings: 'settings',
    fields: part === 'secret' ? 'value' : 'credentials',
    allowedHosts: 'allowed_hosts',
    shared: 'shared',
  } as const satisfies Record<keyof ConnectionChange, string>
  return Object.keys(change).map((field) => names[field as keyof ConnectionChange])
}

function throwNotFound(part: Part, name: string): never {
  throw connectionsFailure(part === 'secret' ? 'secret_not_found' : 'connection_not_found', {
    message: `There is no ${part} "${name}", or it is not yours.`,
    details: { name },
  })
}

function tooMany() {
  return kernelFailure('conflict', {
    message: `An account can have ${maxPerAccount} secrets and connections. Delete one first.`,
    details: { limit: maxPerAccount },
  })
}

/** Secrets and connections of an account share their names; shared ones share theirs on the whole platform. */
async function withFreeName<Value>(name: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw kernelFailure('conflict', {
      message: `There already is a secret or connection "${name}": one of yours, or a shared one of another account.`,
      details: { name },
      cause: error,
    })
  }
}

/** The types of operator events for the audit log. */
export const connectionsOperatorEventTypes = [
  'connections.added',
  'connections.changed',
  'connections.removed',
] as const
