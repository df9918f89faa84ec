import { createHash, randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Database } from '#kernel/database'

export interface NewAccount {
  readonly username: string
  readonly password: string
  readonly roles?: readonly string[]
  /** Whether a check of the password takes as long as on the platform. Default: no. */
  readonly isHashCostly?: boolean
}

const costOfPlatform = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A check takes 0.1 ms of processor time in place of 34 ms: the platform reads the cost from the hash. */
const lowCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

interface AccountRow {
  readonly id?: string
  readonly username: string
  readonly passwordHash?: string
  readonly email?: string | undefined
  readonly tier?: string
  readonly roles?: readonly string[]
}

/** Adds an account with a password and returns its id. */
export async function addAccount(
  database: Database,
  { username, password, roles = [], isHashCostly = false }: NewAccount,
): Promise<string> {
  const passwordHash = await hash(password, isHashCostly ? costOfPlatform : lowCost)
  return await insertAccount(database, { username, passwordHash, roles })
}

export interface NewKey {
  readonly key: string
  readonly accountId: string
}

export interface NewKeyOptions {
  readonly scopes?: readonly string[]
  readonly roles?: readonly string[]
  readonly tier?: string
}

/** Adds an account without a password that has an API key. */
export async function addAccountWithKey(
  database: Database,
  { scopes, roles = [], tier = 'custom' }: NewKeyOptions = {},
): Promise<NewKey> {
  const key = `tk_${randomBytes(20).toString('hex')}`
  const accountId = await insertAccount(database, { username: `account-${key.slice(3, 15)}`, roles, tier })
  await insertKey(database, { accountId, key, scopes })
  return { key, accountId }
}

/** Adds a role with these permissions. */
export async function addRole(
  database: Database,
  name: string,
  permissions: readonly string[],
): Promise<void> {
  await database.query(
    'insert into identity_roles (name, label, permissions) values ($1, $1, $2) on conflict do nothing',
    [name, permissions],
  )
}

/** Accounts by name, each with its permissions and an API key. */
export interface Callers {
  readonly idOf: (name: string) => string
  /** The Authorization header of an account; the empty name has none. */
  readonly headersOf: (name: string) => Readonly<Record<string, string>>
  /** Adds an account, unless it exists. */
  readonly add: (name: string, permissions: readonly string[]) => Promise<void>
}

export interface CallersOptions {
  readonly permissionsOf?: Readonly<Record<string, readonly string[]>>
  /** E-mail addresses, by name. */
  readonly emails?: Readonly<Record<string, string>>
  /** Tells the accounts of test files that share a database apart. Default: the same on every platform of a database. */
  readonly scope?: string
}

/**
 * Ids and keys follow from the names, so that all platforms on one database know the same accounts. They are of the tier `custom`, whose
 * limits a test sets with TUTTI_CUSTOM_TIER.
 */
export async function addCallers(
  database: Database,
  { permissionsOf = {}, emails = {}, scope = '' }: CallersOptions = {},
): Promise<Callers> {
  const added = new Map<string, Promise<void>>()
  const idOf = (name: string) => {
    const digest = digestOf(name, scope)
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-7${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  }

  async function insert(name: string, permissions: readonly string[]): Promise<void> {
    const role = `test_${createHash('sha256').update(permissions.join()).digest('hex').slice(0, 16)}`
    await addRole(database, role, permissions)
    const username = scope === '' ? name : `${name}-${scope}`
    const roles = permissions.length === 0 ? [] : [role]
    const id = idOf(name)
    await insertAccount(database, { id, username, email: emails[name], tier: 'custom', roles })
    await insertKey(database, { accountId: id, key: keyOf(name, scope) })
  }

  function add(name: string, permissions: readonly string[]): Promise<void> {
    const adding = added.get(name) ?? insert(name, permissions)
    added.set(name, adding)
    return adding
  }

  for (const [name, permissions] of Object.entries(permissionsOf)) await add(name, permissions)
  return {
    idOf,
    add,
    headersOf: (name) => headersOf(name, scope),
  }
}

/** The Authorization header of a caller; for processes, which have only the name. */
export function headersOf(name: string, scope = ''): Readonly<Record<string, string>> {
  return name === '' ? {} : { authorization: `Bearer ${keyOf(name, scope)}` }
}

function keyOf(name: string, scope: string): string {
  return `tk_${digestOf(name, scope).slice(0, 40)}`
}

function digestOf(name: string, scope: string): string {
  return createHash('sha256').update(`${scope} ${name}`).digest('hex')
}

async function insertAccount(database: Database, account: AccountRow): Promise<string> {
  const { id, username, passwordHash, email, tier = 'professional', roles = [] } = account
  const [row] = await database.query<{ id: string }>(
    `
      with created as (
        insert into identity_users (id, username, username_key, display_name, password_hash, email, tier)
        values (coalesce($1::uuid, gen_random_uuid()), $2, $3, $2, $4, $5, $6)
        on conflict do nothing
        returning id
      ),
      granted as (
        insert into identity_user_roles (user_id, role)
        select created.id, role from created, unnest($7::text[]) as role
      )
      select id from created
    `,
    [id ?? null, username, username.toLowerCase(), passwordHash ?? null, email ?? null, tier, roles],
  )
  const created = row?.id ?? id
  if (created === undefined) throw new Error('the account was not created')
  return created
}

async function insertKey(
  database: Database,
  { accountId, key, scopes }: NewKey & { readonly scopes?: readonly string[] | undefined },
): Promise<void> {
  await database.query(
    `
      insert into identity_api_keys (user_id, name, prefix, key_hash, scopes) values ($1, 'a test', $2, $3, $4)
      on conflict do nothing
    `,
    [accountId, key.slice(0, 8), createHash('sha256').update(key).digest(), scopes ?? null],
  )
}
