import { randomUUIDv7 } from 'node:crypto'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import type { Failure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { modelsFailure } from '../errors.ts'
import { plainText } from '../usage/call-record.ts'
import { rollUpFrom } from '../usage/roll-up.ts'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import type { Budget, Reservation, ReservedFor } from './budget.ts'
import { payFrom } from './spend-days.ts'

/** The reservations of the running calls of this process, which are renewed while the process lives. */
interface OpenReservations extends Disposable {
  add(id: string): void
  remove(id: string): void
}

/** A reservation that is not renewed for this long belongs to a lost process. */
const reservationSeconds = 300

const defaultRenewEveryMs = 60_000

const renewStatement = `
  update model_reservations set expires_at = now() + ${reservationSeconds} * interval '1 second'
  where id = any($1::uuid[])
`

function createOpenReservations({
  database,
  log,
  everyMs = defaultRenewEveryMs,
}: {
  readonly database: Database
  readonly log: Logger
  readonly everyMs?: number | undefined
}): OpenReservations {
  const open = new Set<string>()

  async function renew(): Promise<void> {
    if (open.size === 0) return
    try {
      await database.query(renewStatement, [[...open]])
    } catch (error) {
      // There are several more renewals before the reservations expire.
      log.debug({ err: error }, 'reservations could not be renewed')
    }
  }

  const timer = setInterval(() => void renew(), everyMs).unref()
  return {
    add: (id) => void open.add(id),
    remove: (id) => void open.delete(id),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** The part of today's budget that an account has used, in micro-dollars. */
interface DaySpend {
  readonly spent: number
  /** Reserved for running calls. */
  readonly reserved: number
}

interface DayBudget {
  readonly accountId: string
  readonly microDollarsPerDay: number
}

/** Budgets by account and UTC day, shared by all replicas. */
export interface DailyBudget extends Disposable {
  of(budget: DayBudget): Budget
  spentToday(accountId: string): Promise<DaySpend>
}

export interface DailyBudgetOptions {
  readonly database: Database
  readonly usage: UsageRecorder
  readonly log: Logger
  readonly renewEveryMs?: number
}

const today = "(now() at time zone 'utc')::date"

/**
 * Check and reservation are one statement: a concurrent reservation waits for the row and sees the result of the first. A
 * reservation that would exceed the limit by a single micro-dollar is refused.
 */
const reserveStatement = `
  with taken as (
    insert into model_spend_days as known (account_id, day, spent, reserved)
    select $1, ${today}, 0, $2::bigint where $2::bigint <= $3::bigint
    on conflict (account_id, day) do update set reserved = known.reserved + excluded.reserved
    where known.spent + known.reserved + excluded.reserved <= $3::bigint
    returning account_id, day
  )
  insert into model_reservations (
    account_id, day, id, micro_dollars, reserved_at, expires_at,
    call_id, source, provider, model, requested_model, price_source, price_version, attempts
  )
  select account_id, day, $4::uuid, $2, now(), now() + ${reservationSeconds} * interval '1 second',
    $5::uuid, $6, $7, $8, $9, $10, $11, $12::integer
  from taken
  returning id
`

const spendStatement = `
  select coalesce(sum(spent), 0)::bigint as spent, coalesce(sum(reserved), 0)::bigint as reserved,
    ceil(extract(epoch from (${today} + 1)::timestamp - now() at time zone 'utc'))::integer as seconds_left
  from model_spend_days
  where account_id = $1 and day = ${today}
`

export function createDailyBudget({ database, usage, log, renewEveryMs }: DailyBudgetOptions): DailyBudget {
  const open = createOpenReservations({ database, log, everyMs: renewEveryMs })

  async function readToday(accountId: string): Promise<DaySpend & { readonly seconds_left: number }> {
    const [row] = await database.query<DaySpend & { seconds_left: number }>(spendStatement, [accountId])
    if (row === undefined) throw new Error('the query for the spend of a day returned no row')
    return row
  }

  async function reserve(
    { accountId, microDollarsPerDay }: DayBudget,
    microDollars: number,
    about: ReservedFor,
  ): Promise<Reservation> {
    const reservationId = randomUUIDv7()
    const { callId } = about
    const names = [about.source, about.provider, about.model, about.requestedModel, about.priceSource]
    try {
      const [taken] = await database.query(reserveStatement, [
        accountId,
        microDollars,
        microDollarsPerDay,
        reservationId,
        callId,
        ...names.map(plainText),
        about.priceVersion,
        about.attempts,
      ])
      if (taken === undefined)
        throw budgetUsedUp(microDollars, microDollarsPerDay, await readToday(accountId))
    } catch (error) {
      if (isDatabaseUnavailable(error)) release(reservationId, callId)
      throw error
    }
    open.add(reservationId)
    return {
      async settle(cost) {
        open.remove(reservationId)
        return { reservationId, callId, microDollars: cost }
      },
    }
  }

  /** After a broken connection the reservation may exist, although its call is never made: it must be released. */
  function release(reservationId: string, callId: string): void {
    usage.record({ settlement: { reservationId, callId, microDollars: 0 } }).catch((error: unknown) => {
      log.warn(
        { err: error },
        'a reservation could not be released; it expires by itself and counts as spent',
      )
    })
  }

  return {
    of: (budget) => ({ reserve: (microDollars, about) => reserve(budget, microDollars, about) }),
    async spentToday(accountId) {
      const { spent, reserved } = await readToday(accountId)
      return { spent, reserved }
    },
    [Symbol.dispose]: () => open[Symbol.dispose](),
  }
}

function budgetUsedUp(
  needed: number,
  limit: number,
  { spent, reserved, seconds_left }: DaySpend & { readonly seconds_left: number },
): Failure {
  const left = Math.max(0, limit - spent - reserved)
  return modelsFailure('budget_used_up', {
    message: `This call may cost up to ${inDollars(needed)}, and ${inDollars(left)} of today's ${inDollars(limit)} is left.`,
    details: { needed: needed, limit, spent, reserved, unit: 'micro-dollars' },
    // A call that costs more than a whole day's budget will not succeed on another day.
    ...(needed <= limit && { retryAfterSeconds: seconds_left }),
  })
}

function inDollars(microDollars: number): string {
  return `$${(microDollars / 1_000_000).toFixed(6).replace(/0{1,4}$/, '')}`
}

const chunkSize = 500

/** The cost of a lost call is unknown, so the whole reservation counts as spent. */
const statement = `
  with expired as (
    select id from model_reservations
    where expires_at <= coalesce($1, now())
    order by expires_at
    limit ${chunkSize}
    for update skip locked
  ),
  settled as (
    delete from model_reservations as reservation
    using expired
    where reservation.id = expired.id
    returning reservation.*, micro_dollars as spent, micro_dollars as reserved
  ),
  calls as (
    insert into model_calls (
      id, account_id, source, provider, model, requested_model, started_at, micro_dollars, price_source, price_version,
      estimated, outcome, cache_hit, attempts
    )
    select call_id, account_id, source, provider, model, requested_model, reserved_at, micro_dollars, price_source,
      price_version, true, 'lost', false, attempts
    from settled
    on conflict (id) do nothing
    returning *
  ),
  days as (${rollUpFrom('calls', '+')}),
  ${payFrom('settled')}
  select count(*) as count from settled
`

/**
 * Settles expired reservations, whose process was lost: the whole reservation counts as spent and the call is recorded as
 * `lost`. Returns their number. `now` replaces the clock of the database in tests.
 */
export async function settleLostReservations(database: Database, now?: Date): Promise<number> {
  for (let total = 0; ; ) {
    const [chunk] = await database.query<{ count: number }>(statement, [now ?? null])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
  }
}
