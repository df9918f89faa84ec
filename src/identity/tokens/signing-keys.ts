import type { JWK } from 'jose'
import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import type { Logger } from '#kernel/telemetry'
import type { SecurityEvents } from '../security-events.ts'
import { createEncryptedJwks, type StoredJwk } from './encrypted-jwks.ts'
import { maxAccessTokenSeconds } from './lifetimes.ts'
import {
  canSign,
  generateKey,
  importKey,
  type KnownKey,
  type SigningKey,
  type VerifyingKey,
} from './signing-key.ts'

interface RotateOptions {
  /** How long the new key is published before it signs, so that clients that cache the key set have it by then. */
  readonly publishSeconds: number
  /** Whether tokens signed with the old keys are refused at once, for a key that has leaked. */
  readonly distrustOld?: boolean
}

/**
 * The signing keys of all replicas, stored in the database. The states of a key:
 *
 * | state | on | next |
 * |---|---|---|
 * | published | `signs_from` is reached | signing |
 * | signing | `signs_from` of a newer key is reached | verifying |
 * | verifying | the last token it signed has expired | removed |
 * | any | a rotation that distrusts old keys | removed |
 */
export interface SigningKeys {
  /** The key that signs now; adds the first key when there is none. */
  current(): Promise<SigningKey>
  find(kid: string): Promise<VerifyingKey | undefined>
  /** Whether the key is in the set that this process has loaded. */
  trusts(kid: string): boolean
  /** The public key set: every key that a valid token may be signed with. */
  published(): Promise<readonly JWK[]>
  rotate(options: RotateOptions): Promise<{ readonly kid: string }>
  /** Rotates when the newest key is older than this. */
  rotateWhenOlderThan(days: number): Promise<void>
  reload(): Promise<void>
  removeExpired(): Promise<number>
}

interface KeyRow {
  readonly kid: string
  readonly private_jwk: StoredJwk
  readonly signs_from: Date
}

const loadStatement = `
  select kid, private_jwk, signs_from
  from identity_signing_keys
  where verifies_until is null or verifies_until > now()
  order by signs_from desc
`

/** An unknown `kid` reloads the keys at most this often: a client can invent any number of them. */
const minReloadIntervalMs = 1000

/** Tolerance for clock skew between replicas and for the delay until each has loaded a new key. */
const overlapSeconds = 60

export interface SigningKeysOptions {
  readonly database: Database
  readonly securityEvents: SecurityEvents
  /** Absent: private keys are stored in plain text. */
  readonly encryption?: Encryption | undefined
  readonly log?: Logger | undefined
  readonly now?: () => number
}

export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { database, securityEvents, encryption, log, now = Date.now } = options
  const encryptedJwks = createEncryptedJwks({ encryption, log })
  let keys: readonly KnownKey[] | undefined
  let loading: Promise<readonly KnownKey[]> | undefined
  let replacing: Promise<unknown> | undefined
  let loadedAt = 0
  /** Each process rewrites a key once: during a change of the secret, old and new replicas would overwrite each other forever. */
  const rewritten = new Set<string>()

  async function readRow({ kid, private_jwk: stored, signs_from: signsFrom }: KeyRow): Promise<KnownKey> {
    const jwk = await encryptedJwks.read(kid, stored)
    if (jwk !== undefined && !rewritten.has(kid) && (await encryptedJwks.needsRewrite(stored)))
      await rewrite(kid, stored, jwk)
    return await importKey({ kid, stored, jwk, signsFrom })
  }

  async function rewrite(kid: string, stored: StoredJwk, jwk: JWK): Promise<void> {
    rewritten.add(kid)
    await database.query(
      'update identity_signing_keys set private_jwk = $1 where kid = $2 and private_jwk = $3',
      [JSON.stringify(await encryptedJwks.write(kid, jwk)), kid, JSON.stringify(stored)],
    )
  }

  async function load(): Promise<readonly KnownKey[]> {
    const rows = await database.query<KeyRow>(loadStatement)
    const loaded = await Promise.all(rows.map(readRow))
    keys = loaded
    loadedAt = now()
    return loaded
  }

  function reload(): Promise<readonly KnownKey[]> {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  const loadedKeys = async () => keys ?? (await reload())

  async function add({ publishSeconds, distrustOld = false }: RotateOptions, onlyWhenOlderThanDays?: number) {
    const fresh = await generateKey()
    const stored = JSON.stringify(await encryptedJwks.write(fresh.kid, fresh.privateJwk))
    const added = await database.transaction(async (transaction) => {
      // Replicas that start or rotate at the same time add a single key.
      await sql`lock table identity_signing_keys in share row exclusive mode`.execute(transaction)
      const { rows } = await sql<{ kid: string }>`
        insert into identity_signing_keys (kid, private_jwk, signs_from)
        select ${fresh.kid}, ${stored}::jsonb, now() + ${publishSeconds} * interval '1 second'
        where ${onlyWhenOlderThanDays ?? null}::integer is null or not exists (
          select from identity_signing_keys
          where created_at > now() - ${onlyWhenOlderThanDays ?? null}::integer * interval '1 day'
        )
        returning kid
      `.execute(transaction)
      if (rows.length === 0) return false
      const replaced = await sql`
        update identity_signing_keys
        set verifies_until = case when ${distrustOld} then now() else
          now() + ${publishSeconds + maxAccessTokenSeconds + overlapSeconds} * interval '1 second'
        end
        where kid <> ${fresh.kid} and (verifies_until is null or ${distrustOld})
        returning kid
      `.execute(transaction)
      // The very first key replaces none and appends no event.
      if (replaced.rows.length === 0) return true
      await securityEvents.appendWithin(transaction, {
        type: 'identity.signing_key_added',
        subject: fresh.kid,
        account: null,
        data: { distrusts_old: distrustOld },
      })
      return true
    })
    // A load that is in progress may have read the table before the commit.
    await loading?.catch(() => {})
    await reload()
    return added ? { kid: fresh.kid } : undefined
  }

  const signing = (candidates: readonly KnownKey[]) =>
    candidates.filter(canSign).find(({ signsFrom }) => signsFrom.getTime() <= now())

  async function current(): Promise<SigningKey> {
    const found = signing(await loadedKeys())
    if (found !== undefined) return found
    // First start: there is no key yet, or another replica is adding one.
    await add({ publishSeconds: 0 }, 36_500)
    const first = signing(await loadedKeys()) ?? (await loadedKeys()).find(canSign)
    return first ?? (await replaceUndecryptable())
  }

  /** Adds a signing key when none of the stored keys can be decrypted. Concurrent callers share one new key. */
  async function replaceUndecryptable(): Promise<SigningKey> {
    replacing ??= add({ publishSeconds: 0 }).finally(() => {
      replacing = undefined
    })
    await replacing
    const added = (await loadedKeys()).find(canSign)
    if (added === undefined) throw new Error('there is no signing key')
    return added
  }

  return {
    current,
    async find(kid) {
      const match = (candidates: readonly KnownKey[]) => candidates.find((key) => key.kid === kid)
      const found = match(await loadedKeys())
      if (found !== undefined || now() - loadedAt < minReloadIntervalMs) return found
      return match(await reload())
    },
    trusts: (kid) => keys?.some((key) => key.kid === kid) === true,
    async published() {
      await current()
      return (await loadedKeys()).map(({ publicJwk }) => publicJwk)
    },
    async rotate(how) {
      const added = await add(how)
      if (added === undefined) throw new Error('an unconditional key rotation added no key')
      return added
    },
    async rotateWhenOlderThan(days) {
      await current()
      await add({ publishSeconds: 600 }, days)
    },
    async reload() {
      await reload()
    },
    async removeExpired() {
      const removed = await database.query(
        'delete from identity_signing_keys where verifies_until <= now() returning kid',
      )
      return removed.length
    },
  }
}
