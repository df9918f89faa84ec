import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { AnswerSeal, StoredBody } from './answer-seal.ts'
import { idempotencyFailure } from './errors.ts'

/** An answer as it went out. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The right to work on a request, until it is answered. */
export interface Claim {
  readonly id: Buffer
  readonly holder: string
  readonly workId: string
}

export interface ClaimTiming {
  /** How long a claim is believed without hearing more. */
  readonly leaseMs: number
  /** How long a request waits for the first one of its key. */
  readonly waitMs: number
  /** How long answers are kept, from the first request on. */
  readonly keepMs: number
}

/**
 * What becomes of a key.
 *
 * | state    | on                                                    | next                                        |
 * |----------|-------------------------------------------------------|---------------------------------------------|
 * | unknown  | a request                                             | held; a work id is drawn                    |
 * | held     | the same request, elsewhere or here                   | held; whoever came second waits             |
 * | held     | its holder was not heard of for the length of a lease | held by who comes next, with the same work id |
 * | held     | an answer that is kept                                | answered                                    |
 * | held     | an answer that is not kept                            | free; the work id stays                     |
 * | free     | the same request                                      | held, with the same work id                 |
 * | answered | the same request                                      | answered; it is told again                  |
 * | answered | the same request, and the answer cannot be opened     | free; the work id stays                     |
 * | any      | another request                                       | as it was; the request is refused           |
 * | any      | a day after the first request                         | unknown                                     |
 */
export interface Claims {
  /** Claims a request, or tells how it was answered. Waits while somebody else is at it. */
  take(id: Buffer, request: Buffer, signal: AbortSignal): Promise<Claim | KeptAnswer>
  /** Keeps an answer. Nothing happens when the claim was lost meanwhile. */
  keep(claim: Claim, answer: KeptAnswer): Promise<void>
  /** Gives a claim back without an answer. */
  free(claims: readonly Claim[]): Promise<void>
  renew(claims: readonly Claim[]): Promise<void>
  /** Deletes what is too old to be kept, in small commits. Answers how many went. */
  forgetOld(signal?: AbortSignal): Promise<number>
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

const lookStatement = `
  select request = $2 as same, status, headers, body, sealed from kernel_idempotency where id = $1
`

const keepStatement = `
  update kernel_idempotency set holder = null, held_until = null, status = $3, headers = $4, body = $5, sealed = $6
  where id = $1 and holder = $2
`

const forgetAnswerStatement = `
  update kernel_idempotency set status = null, headers = null, body = null, sealed = false
  where id = $1 and status is not null
`

const theseClaims = '(id, holder) in (select * from unnest($1::bytea[], $2::uuid[]))'

const freeStatement = `update kernel_idempotency set holder = null, held_until = null where ${theseClaims}`

const renewStatement = `
  update kernel_idempotency set held_until = now() + $3 * interval '1 millisecond' where ${theseClaims}
`

const chunkSize = 1000

const forgetStatement = `
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

interface KnownRow {
  readonly same: boolean
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: Buffer | null
  readonly sealed: boolean
}

export function createClaims(
  database: Pick<Database, 'query'>,
  { leaseMs, waitMs, keepMs }: ClaimTiming,
  seal: AnswerSeal,
): Claims {
  async function tryToTake(id: Buffer, request: Buffer): Promise<Claim | KeptAnswer | undefined> {
    const holder = randomUUID()
    const values = [id, request, randomUUIDv7(), holder, leaseMs, keepMs]
    const [taken] = await database.query<{ workId: string }>(takeStatement, values)
    if (taken !== undefined) return { id, holder, workId: taken.workId }
    const [known] = await database.query<KnownRow>(lookStatement, [id, request])
    // Forgotten between the two statements.
    if (known === undefined) return undefined
    if (!known.same) throw idempotencyFailure('idempotency_key_reused')
    const { status, headers, body, sealed } = known
    if (status === null || headers === null || body === null) return undefined
    const opened = await openAnswer(id, { body, sealed })
    return opened === undefined ? undefined : { status, headers, body: opened }
  }

  /** What was sealed with a secret that is gone is as good as not kept: the handler is asked again, for the same work. */
  async function openAnswer(id: Buffer, stored: StoredBody): Promise<Buffer | undefined> {
    try {
      return await seal.open(id, stored)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await database.query(forgetAnswerStatement, [id])
      return undefined
    }
  }

  return {
    async take(id, request, signal) {
      const waitsUntil = performance.now() + waitMs
      for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
        const taken = await tryToTake(id, request)
        if (taken !== undefined) return taken
        if (performance.now() + pauseMs > waitsUntil)
          throw idempotencyFailure('idempotency_key_in_use', { retryAfterSeconds: 5 })
        await pause(pauseMs, undefined, { signal }).catch((error: unknown) => {
          throw kernelFailure('shutting_down', { cause: error })
        })
      }
    },

    async keep({ id, holder }, { status, headers, body }) {
      const stored = await seal.close(id, body)
      const values = [id, holder, status, JSON.stringify(headers), stored.body, stored.sealed]
      await database.query(keepStatement, values)
    },

    async free(claims) {
      if (claims.length > 0) await database.query(freeStatement, valuesOf(claims))
    },

    async renew(claims) {
      await database.query(renewStatement, [...valuesOf(claims), leaseMs])
    },

    async forgetOld(signal) {
      for (let total = 0; ; ) {
        signal?.throwIfAborted()
        const [chunk] = await database.query<{ count: number }>(forgetStatement, [keepMs])
        total += chunk?.count ?? 0
        if (chunk === undefined || chunk.count < chunkSize) return total
      }
    },
  }
}

function valuesOf(claims: readonly Claim[]): unknown[] {
  return [claims.map(({ id }) => id), claims.map(({ holder }) => holder)]
}
