import type { Database } from '#kernel/database'
import { UserMistake } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Sealing } from '#kernel/sealing'
import type { Metrics } from '#kernel/telemetry'
import { type ApiKeyRecord, createApiKeys } from './api-keys/api-keys.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createRoles } from './roles/roles.ts'
import { createSecurityEvents, type SecurityEvents } from './security-events.ts'
import { requireKeyName, requireScopes } from './terminal-checks.ts'
import { createEndSignIns } from './tokens/end-sign-ins.ts'
import { createRevocations } from './tokens/revocations.ts'
import { createSigningKeys } from './tokens/signing-keys.ts'
import type { User } from './users/user-shapes.ts'
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
  /** Null: whatever the account may do. */
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
}

/** What whoever has the machine may do without signing in. It holds at once in every process that runs. */
export interface IdentityAdministration {
  /** Throws what is wrong with an account that is to be added, so that nobody types a password in vain. */
  checkNewUser(account: NewAccount): Promise<void>
  addUser(account: NewAccount, password: string): Promise<User>
  /** The account of this name; a mistake when there is none. */
  findUser(username: string): Promise<User>
  /** Ends everything the account is signed in with, consents included. */
  setPassword(username: string, password: string): Promise<User>
  setDisabled(username: string, disabled: boolean): Promise<User>
  /** All of them, the oldest first. */
  listUsers(): Promise<readonly User[]>
  /** Whether somebody who can sign in may do everything. */
  hasAdministrator(): Promise<boolean>
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
  /** As the platform's own; without it signing keys are stored as they are. */
  readonly sealing?: Sealing | undefined
}

const pageSize = 500

/** Whoever keeps a copy of the published keys has the new one by then. */
const publishSeconds = 600

const terminal = { by: null }

/** Nothing is remembered in this process, and the others hear of a change from the database. */
const changed = (): void => {}

/** The stores that the routes use, for the commands of the terminal. */
export function createIdentityAdministration({
  database,
  events,
  metrics,
  sealing,
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
  const keys = createSigningKeys({ database, securityEvents, sealing })

  async function findUser(username: string): Promise<User> {
    const user = await users.findByUsername(username)
    if (user !== undefined) return user
    throw new UserMistake(`There is no account "${username}". See them all: npx tutti user list`)
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
    throw new UserMistake(`There is no role "${unknown}" to give. There are: ${known.join(', ')}`)
  }

  return {
    findUser,

    async checkNewUser(account) {
      // The rules of the routes take longer to load than the rest, and only adding needs them.
      const { checkNewUser } = await import('./users/new-user-check.ts')
      checkNewUser(account)
      await checkRoles(account.roles)
      const taken = await users.findByUsername(account.username)
      if (taken === undefined) return
      throw new UserMistake(
        `There is an account "${taken.username}" already. To give it a new password: npx tutti user password "${taken.username}"`,
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
        throw new UserMistake(
          `"${user.username}" is disabled, so a key of it would not work. To enable it: npx tutti user enable "${user.username}"`,
        )
      }
      return await apiKeys.create({ userId: user.id, name, scopes, expiresAt, by: null })
    },

    async rotateSigningKey({ distrustOld }) {
      const waitSeconds = distrustOld ? 0 : publishSeconds
      const { kid } = await keys.rotate({ publishSeconds: waitSeconds, distrustOld })
      return { kid, signsFrom: new Date(Date.now() + waitSeconds * 1000) }
    },
  }
}

/** Nobody has signed in at the terminal, so the audit log says where it came from instead of who. */
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
