import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#kernel/database'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import { Failure, kernelFailure } from '#kernel/errors'
import { idempotencyFailure } from './errors.ts'

/** A response as it was sent. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The lease of one request on its key, until it has a response. */
export interface Claim {
  readonly id: Buffer
  readonly holder: string
  readonly workId: string
}

export interface ClaimTiming {
  /** How long a claim is valid without renewal. */
  readonly leaseMs: number
  /** How long a request waits for the first request with its key. */
  readonly waitMs: number
  /** How long responses are stored, from the first request on. */
  readonly keepMs: number
}

/**
 * The states of a key.
 *
 * | state    | on                                                 | next                                             |
 * |----------|----------------------------------------------------|--------------------------------------------------|
 * | unknown  | a request                                          | leased, with a new work id                       |
 * | leased   | the same request, on any replica                   | leased; the second request waits                 |
 * | leased   | the lease expires                                  | leased by the next request, with the same work id |
 * | leased   | a response that is stored                          | answered                                         |
 * | leased   | a response that is not stored                      | free; the work id stays                          |
 * | free     | the same request                                   | leased, with the same work id                    |
 * | answered | the same request                                   | answered; the stored response is sent again      |
 * | answered | the same request, the response cannot be decrypted | free; the work id stays                          |
 * | any      | another request                                    | unchanged; the request is refused                |
 * | any      | a day after the first request                      | unknown                                          |
 */
export interface Claims {
  /**
   * Claims a request, or returns its stored response. Waits while another request has the claim. Throws `idempotency_key_reused`,
   * `idempotency_key_in_use` or `shutting_down`.
   */
  take(id: Buffer, request: Buffer, signal: AbortSignal): Promise<Claim | StoredResponse>
  /** Stores a response. Does nothing when the claim was lost meanwhile. */
  store(claim: Claim, response: StoredResponse): Promise<void>
  /** Releases claims without a response. */
  free(claims: readonly Claim[]): Promise<void>
  renew(claims: readonly Claim[]): Promise<void>
  /** Deletes expired keys in small commits and returns their number. */
  deleteExpired(signal?: AbortSignal): Promise<number>
}

const takeStatement = `
  insert into kernel_idempotency as known (id, request, work_id, holder, held_until)
  values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
  on conflict (id) do update
  set request = excluded.request,
    work_id = case when known.created_at < now() - $6 * interval '1 millisecond' then excluded.work_id else known.work_id end,
    created_at = case when known.created_at < now() - $6 * interval '1 millisecond' then now() else known.created_at end,
    holder = excluded.holder,
    held_until = excluded.held_until,
    status = null, headers = null, body = null, sealed = false
  where known.created_at < now() - $6 * interval '1 millisecond'
    or (
      known.request = excluded.request and known.status is null
      and (known.holder is null or known.held_until < now())
    )
  returning work_id as "workId"
`

const readStatement = `
  select request = $2 as same, status, headers, body, sealed from kernel_idempotency where id = $1
`

const storeStatement = `
  update kernel_idempotency set holder = null, held_until = null, status = $3, headers = $4, body = $5, sealed = $6
  where id = $1 and holder = $2
`

const dropResponseStatement = `
  update kernel_idempotency set status = null, headers = null, body = null, sealed = false
  where id = $1 and status is not null
`

const theseClaims = '(id, holder) in (select * from unnest($1::bytea[], $2::uuid[]))'

const freeStatement = `update kernel_idempotency set holder = null, held_until = null where ${theseClaims}`

const renewStatement = `
  update kernel_idempotency set held_until = now() + $3 * interval '1 millisecond' where ${theseClaims}
`

const chunkSize = 1000

const deleteExpiredStatement = `
  with old as (
    select id from kernel_idempotency
    where created_at < now() - $1 * interval '1 millisecond'
    limit ${chunkSize} for update skip locked
  ),
  forgotten as (
    delete from kernel_idempotency where id in (select id from old) returning 1
  )
  select count(*)::integer as count from forgotten
`

interface StoredRow {
  readonly same: boolean
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: Buffer | null
  readonly sealed: boolean
}

export function createClaims(
  database: Pick<Database, 'query'>,
  { leaseMs, waitMs, keepMs }: ClaimTiming,
  encryption: ResponseEncryption,
): Claims {
  async function tryTake(id: Buffer, request: Buffer): Promise<Claim | StoredResponse | undefined> {
    const holder = randomUUID()
    const values = [id, request, randomUUIDv7(), holder, leaseMs, keepMs]
    const [taken] = await database.query<{ workId: string }>(takeStatement, values)
    if (taken !== undefined) return { id, holder, workId: taken.workId }
    const [known] = await database.query<StoredRow>(readStatement, [id, request])
    // Deleted between the two statements.
    if (known === undefined) return undefined
    if (!known.same) throw idempotencyFailure('idempotency_key_reused')
    const { status, headers, body, sealed } = known
    if (status === null || headers === null || body === null) return undefined
    const decrypted = await decryptResponse(id, { body, sealed })
    return decrypted === undefined ? undefined : { status, headers, body: decrypted }
  }

  /** A response whose secret is lost counts as not stored: the handler runs again, with the same work id. */
  async function decryptResponse(id: Buffer, stored: StoredBody): Promise<Buffer | undefined> {
    try {
      return await encryption.decrypt(id, stored)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await database.query(dropResponseStatement, [id])
      return undefined
    }
  }

  return {
    async take(id, request, signal) {
      const deadline = performance.now() + waitMs
      for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
        const taken = await tryTake(id, request)
        if (taken !== undefined) return taken
        if (performance.now() + pauseMs > deadline)
          throw idempotencyFailure('idempotency_key_in_use', { retryAfterSeconds: 5 })
        await pause(pauseMs, undefined, { signal }).catch((error: unknown) => {
          throw kernelFailure('shutting_down', { cause: error })
        })
      }
    },

    async store({ id, holder }, { status, headers, body }) {
      const stored = await encryption.encrypt(id, body)
      const values = [id, holder, status, JSON.stringify(headers), stored.body, stored.sealed]
      await database.query(storeStatement, values)
    },

    async free(claims) {
      if (claims.length > 0) await database.query(freeStatement, valuesOf(claims))
    },

    async renew(claims) {
      await database.query(renewStatement, [...valuesOf(claims), leaseMs])
    },

    async deleteExpired(signal) {
      for (let total = 0; ; ) {
        signal?.throwIfAborted()
        const [chunk] = await database.query<{ count: number }>(deleteExpiredStatement, [keepMs])
        total += chunk?.count ?? 0
        if (chunk === undefined || chunk.count < chunkSize) return total
      }
    },
  }
}

function valuesOf(claims: readonly Claim[]): unknown[] {
  return [claims.map(({ id }) => id), claims.map(({ holder }) => holder)]
}

/** The body of a stored response. */
interface StoredBody {
  readonly body: Buffer
  readonly sealed: boolean
}

/** Encrypts responses before they are stored, because some contain a secret. */
interface ResponseEncryption {
  encrypt(id: Buffer, body: Buffer): Promise<StoredBody>
  decrypt(id: Buffer, stored: StoredBody): Promise<Buffer>
}

/** Without a secret to encrypt with, no secrets are stored, so responses contain none either. */
export function createResponseEncryption(
  encryption: Pick<Encryption, 'canEncrypt' | 'encrypt' | 'decrypt'> | undefined,
): ResponseEncryption {
  return {
    async encrypt(id, body) {
      if (encryption?.canEncrypt() !== true) return { body, sealed: false }
      return {
        body: Buffer.from(await encryption.encrypt(body.toString(), associatedDataOf(id))),
        sealed: true,
      }
    },
    async decrypt(id, { body, sealed }) {
      if (!sealed) return body
      if (encryption === undefined)
        throw new Error('an encrypted response cannot be read without `encryption`')
      return Buffer.from(await encryption.decrypt(body.toString(), associatedDataOf(id)))
    },
  }
}

/** Binds a response to its row, so that it cannot be moved to another key. */
function associatedDataOf(id: Buffer): AssociatedData {
  return { purpose: 'idempotency-answer', place: id.toString('hex') }
}
