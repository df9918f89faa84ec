import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { UserError } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Metrics } from '#kernel/telemetry'
import { type ApiKeyRecord, createApiKeys } from './api-keys/api-keys.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createRoles } from './roles/roles.ts'
import { isScope, scopeNames } from './scopes.ts'
import { createSecurityEvents, type SecurityEvents } from './security-events.ts'
import { createEndSignIns } from './tokens/end-sign-ins.ts'
import { createRevocations } from './tokens/revocations.ts'
import { createSigningKeys } from './tokens/signing-keys.ts'
import type { User } from './users/user-schemas.ts'
import { createUsers } from './users/users.ts'

interface NewAccount {
  readonly username: string
  readonly roles: readonly string[]
  readonly email: string | undefined
  readonly displayName: string | undefined
  readonly tier: string | undefined
}

interface NewKey {
  readonly username: string
  readonly name: string
  /** Null: the key has every permission of its account. */
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
}

/**
 * Account administration for the command line, without signing in. Changes take effect at once in every running process.
 * Every method that takes a username throws a `UserError` when no account has it.
 */
export interface IdentityAdministration {
  /** Checks the fields of a new account before a password is typed; throws a `UserError` or an `invalid_input` failure. */
  checkNewUser(account: NewAccount): Promise<void>
  addUser(account: NewAccount, password: string): Promise<User>
  findUser(username: string): Promise<User>
  /** Also ends every session, token and OAuth consent of the account. */
  setPassword(username: string, password: string): Promise<User>
  setDisabled(username: string, disabled: boolean): Promise<User>
  /** All accounts, oldest first. */
  listUsers(): Promise<readonly User[]>
  /** Whether at least one enabled account has every permission. */
  hasAdministrator(): Promise<boolean>
  /** Throws a `UserError` for an invalid name, an unknown scope or a disabled account. */
  createApiKey(key: NewKey): Promise<ApiKeyRecord & { readonly key: string }>
  rotateSigningKey(options: { readonly distrustOld: boolean }): Promise<NewSigningKey>
}

interface NewSigningKey {
  readonly kid: string
  readonly signsFrom: Date
}

export interface IdentityAdministrationOptions {
  readonly database: Database
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly metrics: Metrics
  /** The encryption of the installation; without it signing keys are stored in plain text. */
  readonly encryption?: Encryption | undefined
}

const pageSize = 500

/** Clients that cache the published key set have fetched the new key by then (its max-age is 5 minutes). */
const publishSeconds = 600

const terminal = { by: null }

/** This process caches nothing; running servers are notified by the database. */
const changed = (): void => {}

/** Builds the stores that the HTTP routes use, for the commands of the terminal. Does not throw. */
export function createIdentityAdministration({
  database,
  events,
  metrics,
  encryption,
}: IdentityAdministrationOptions): IdentityAdministration {
  const securityEvents = markTerminal(createSecurityEvents(events))
  const revocations = createRevocations({ database })
  const users = createUsers({
    database,
    hasher: createPasswordHasher({ metrics }),
    endSignIns: createEndSignIns({ database, revocations, securityEvents }),
    securityEvents,
    changed,
  })
  const roles = createRoles({ database, securityEvents, changed })
  const apiKeys = createApiKeys({ database, securityEvents, changed })
  const keys = createSigningKeys({ database, securityEvents, encryption })

  async function findUser(username: string): Promise<User> {
    const user = await users.findByUsername(username)
    if (user !== undefined) return user
    throw new UserError(`There is no account "${username}". List all accounts: npx tutti user list`)
  }

  async function change(username: string, changes: { password?: string; disabled?: boolean }): Promise<User> {
    const { id } = await findUser(username)
    return (await users.change(id, changes, terminal)) ?? (await findUser(username))
  }

  async function checkRoles(given: readonly string[]): Promise<void> {
    const { roles: all } = await roles.list({ limit: pageSize, offset: 0 })
    const known = all.map(({ name }) => name).filter((name) => !['authenticated', 'anonymous'].includes(name))
    const unknown = given.find((name) => !known.includes(name))
    if (unknown === undefined) return
    throw new UserError(`There is no role "${unknown}" to assign. Use one of: ${known.join(', ')}`)
  }

  return {
    findUser,

    async checkNewUser(account) {
      // The schema validator is slow to load and only this command needs it.
      const { checkNewUser } = await import('./users/new-user-check.ts')
      checkNewUser(account)
      await checkRoles(account.roles)
      const taken = await users.findByUsername(account.username)
      if (taken === undefined) return
      throw new UserError(
        `The account "${taken.username}" already exists. To set a new password: npx tutti user password "${taken.username}"`,
      )
    },

    addUser: (account, password) => users.create({ ...account, password }, terminal),
    setPassword: (username, password) => change(username, { password }),
    setDisabled: (username, disabled) => change(username, { disabled }),

    async listUsers() {
      const all: User[] = []
      for (;;) {
        const { users: page } = await users.list({ limit: pageSize, offset: all.length })
        all.push(...page)
        if (page.length < pageSize) return all
      }
    },

    async hasAdministrator() {
      const [row] = await database.query(`
        select from identity_users as account
        join identity_user_roles as held on held.user_id = account.id
        join identity_roles as role on role.name = held.role and role.all_permissions
        where account.disabled_at is null
        limit 1
      `)
      return row !== undefined
    },

    async createApiKey({ username, name, scopes, expiresAt }) {
      requireKeyName(name)
      requireScopes(scopes)
      const user = await findUser(username)
      if (user.disabled) {
        throw new UserError(
          `The account "${user.username}" is disabled, so its API keys do not work. To enable it: npx tutti user enable "${user.username}"`,
        )
      }
      return await apiKeys.create({ userId: user.id, name, scopes, expiresAt, by: null })
    },

    async rotateSigningKey({ distrustOld }) {
      const waitSeconds = distrustOld ? 0 : publishSeconds
      const { kid } = await keys.rotate({ publishSeconds: waitSeconds, distrustOld })
      return { kid, signsFrom: new Date(database.clock.now().getTime() + waitSeconds * 1000) }
    },
  }
}

/** The terminal has no signed-in account, so its audit entries carry `via: terminal` instead of an actor. */
function markTerminal(securityEvents: SecurityEvents): SecurityEvents {
  return {
    append: (event) =>
      securityEvents.append({ ...event, by: null, data: { ...event.data, via: 'terminal' } }),
    appendWithin: (transaction, event) =>
      securityEvents.appendWithin(transaction, {
        ...event,
        by: null,
        data: { ...event.data, via: 'terminal' },
      }),
  }
}

export function requireScopes(given: readonly string[] | null): void {
  const unknown = given?.find((name) => !isScope(name))
  if (unknown === undefined) return
  throw new UserError(`There is no scope "${unknown}". Use one of: ${scopeNames.join(', ')}`)
}

export function requireKeyName(name: string): void {
  if (/\S/.test(name) && name.length <= 100) return
  throw new UserError('The name of an API key must have 1 to 100 characters, not only spaces.')
}
