import type { CryptoKey, JWK } from 'jose'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Sealing } from '#kernel/sealing'
import type { Logger } from '#kernel/telemetry'
import type { SecurityEvents } from '../security-events.ts'
import { longestAccessTokenSeconds } from './lifetimes.ts'
import { createSealedJwks, type StoredJwk } from './sealed-jwk.ts'

export const signingAlgorithm = 'ES256'

/** One key of the set, as far as it verifies. */
interface VerifyingKey {
  readonly kid: string
  readonly publicKey: CryptoKey
  /** As it is published. */
  readonly publicJwk: JWK
  readonly signsFrom: Date
}

/** One key of the set, ready for use. */
export interface SigningKey extends VerifyingKey {
  readonly privateKey: CryptoKey
  /** Only for the authorization server, which signs by itself. */
  readonly privateJwk: JWK
}

type KnownKey = VerifyingKey | SigningKey

interface RotateOptions {
  /** How long the new key is published before it signs, so that whoever keeps a copy of the set has it by then. */
  readonly publishSeconds: number
  /** Refuse what the old keys signed from this moment on: for a key that became known to somebody. */
  readonly distrustOld?: boolean
}

/**
 * The keys of all replicas, kept in the database. One key:
 *
 * | state | on | next |
 * |---|---|---|
 * | published | its time has come | signing |
 * | signing | a newer key's time has come | verifying |
 * | verifying | the last token it signed has expired | removed |
 * | any | a rotation that distrusts old keys | removed |
 */
export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<SigningKey>
  find(kid: string): Promise<VerifyingKey | undefined>
  /** Whether a key that was found before is still one of the set, as far as this process knows. */
  trusts(kid: string): boolean
  /** Every public key that a token may be signed with. */
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

/** A kid nobody knows makes us look into the database, at most this often: it may be somebody's invention. */
const unknownKidPauseMs = 1000

/** Replicas' clocks may differ a little, and so may when each learns of a new key. */
const overlapSeconds = 60

export interface SigningKeysOptions {
  readonly database: Database
  readonly securityEvents: SecurityEvents
  /** Absent: private keys are stored as they are. */
  readonly sealing?: Sealing | undefined
  readonly log?: Logger | undefined
  readonly now?: () => number
}

export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { database, securityEvents, sealing, log, now = Date.now } = options
  const sealed = createSealedJwks({ sealing, log })
  let keys: readonly KnownKey[] | undefined
  let loading: Promise<readonly KnownKey[]> | undefined
  let replacing: Promise<unknown> | undefined
  let loadedAt = 0
  /** Once by each process: replicas on their way from one secret to another would go on answering each other. */
  const writtenAgain = new Set<string>()

  async function openRow({ kid, private_jwk: stored, signs_from: signsFrom }: KeyRow): Promise<KnownKey> {
    const jwk = await sealed.read(kid, stored)
    if (jwk !== undefined && !writtenAgain.has(kid) && (await sealed.isOld(stored)))
      await writeAgain(kid, stored, jwk)
    return await openKey({ kid, stored, jwk, signsFrom })
  }

  async function writeAgain(kid: string, stored: StoredJwk, jwk: JWK): Promise<void> {
    writtenAgain.add(kid)
    await database.query(
      'update identity_signing_keys set private_jwk = $1 where kid = $2 and private_jwk = $3',
      [JSON.stringify(await sealed.write(kid, jwk)), kid, JSON.stringify(stored)],
    )
  }

  async function load(): Promise<readonly KnownKey[]> {
    const rows = await database.query<KeyRow>(loadStatement)
    const loaded = await Promise.all(rows.map(openRow))
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

  const known = async () => keys ?? (await reload())

  async function add({ publishSeconds, distrustOld = false }: RotateOptions, onlyWhenOlderThanDays?: number) {
    const fresh = await makeKey()
    const stored = JSON.stringify(await sealed.write(fresh.kid, fresh.privateJwk))
    const added = await database.transaction(async (transaction) => {
      // Replicas that start together, or rotate together, add one key.
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
          now() + ${publishSeconds + longestAccessTokenSeconds + overlapSeconds} * interval '1 second'
        end
        where kid <> ${fresh.kid} and (verifies_until is null or ${distrustOld})
        returning kid
      `.execute(transaction)
      // The first key of all replaces nothing, and is no news to anybody.
      if (replaced.rows.length === 0) return true
      await securityEvents.appendWithin(transaction, {
        type: 'identity.signing_key_added',
        subject: fresh.kid,
        account: null,
        data: { distrusts_old: distrustOld },
      })
      return true
    })
    // One that was under way may have read the table before.
    await loading?.catch(() => {})
    await reload()
    return added ? { kid: fresh.kid } : undefined
  }

  const signing = (candidates: readonly KnownKey[]) =>
    candidates.filter(canSign).find(({ signsFrom }) => signsFrom.getTime() <= now())

  async function current(): Promise<SigningKey> {
    const found = signing(await known())
    if (found !== undefined) return found
    // The first start: there is no key yet, or another replica is adding it.
    await add({ publishSeconds: 0 }, 36_500)
    const first = signing(await known()) ?? (await known()).find(canSign)
    return first ?? (await replaceUnopened())
  }

  /** There are keys, and none can be opened: they verify what they signed, and a new one signs. Made once, whoever asks. */
  async function replaceUnopened(): Promise<SigningKey> {
    replacing ??= add({ publishSeconds: 0 }).finally(() => {
      replacing = undefined
    })
    await replacing
    const made = (await known()).find(canSign)
    if (made === undefined) throw new Error('there is no signing key')
    return made
  }

  return {
    current,
    async find(kid) {
      const match = (candidates: readonly KnownKey[]) => candidates.find((key) => key.kid === kid)
      const found = match(await known())
      if (found !== undefined || now() - loadedAt < unknownKidPauseMs) return found
      return match(await reload())
    },
    trusts: (kid) => keys?.some((key) => key.kid === kid) === true,
    async published() {
      await current()
      return (await known()).map(({ publicJwk }) => publicJwk)
    },
    async rotate(how) {
      const added = await add(how)
      if (added === undefined) throw new Error('a key without a condition was not added')
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

async function makeKey(): Promise<{ readonly kid: string; readonly privateJwk: JWK }> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { kid: await calculateJwkThumbprint(jwk), privateJwk: jwk }
}

interface FoundKey {
  readonly kid: string
  readonly stored: StoredJwk
  /** Undefined when only its public part can be read. */
  readonly jwk: JWK | undefined
  readonly signsFrom: Date
}

async function openKey({ kid, stored, jwk, signsFrom }: FoundKey): Promise<KnownKey> {
  const { kty, crv, x, y } = stored as { kty: string; crv: string; x: string; y: string }
  const described = { kid, alg: signingAlgorithm, use: 'sig' }
  const publicJwk = { kty, crv, x, y, ...described }
  const publicKey = (await importJWK(publicJwk, signingAlgorithm)) as CryptoKey
  const verifying: VerifyingKey = { kid, publicJwk, publicKey, signsFrom }
  if (jwk === undefined) return verifying
  const privateKey = (await importJWK(jwk, signingAlgorithm)) as CryptoKey
  return { ...verifying, privateJwk: { ...jwk, ...described }, privateKey }
}

function canSign(key: KnownKey): key is SigningKey {
  return 'privateKey' in key
}
