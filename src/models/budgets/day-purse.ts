import { randomUUIDv7 } from 'node:crypto'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import type { Failure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { modelsFailure } from '../errors.ts'
import { plainText } from '../usage/call-record.ts'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import { createOpenReservations, reservationSeconds } from './open-reservations.ts'
import type { Purse, Reservation, ReservedFor } from './purse.ts'

/** What an account used of today's budget, in micro-dollars. */
interface DaySpend {
  readonly spent: number
  /** Set aside for calls that run. */
  readonly reserved: number
}

interface DayBudget {
  readonly accountId: string
  readonly microDollarsPerDay: number
}

/** Budgets by account and UTC day, kept by all replicas together. */
export interface DayPurse extends Disposable {
  of(budget: DayBudget): Purse
  spentToday(accountId: string): Promise<DaySpend>
}

export interface DayPurseOptions {
  readonly database: Database
  readonly usage: UsageRecorder
  readonly log: Logger
  readonly renewEveryMs?: number
}

const today = "(now() at time zone 'utc')::date"

/**
 * The check and the taking are one: whoever comes second waits for the row and sees what the first has left. Nothing is
 * set aside when the limit would be passed by a single micro-dollar.
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

export function createDayPurse({ database, usage, log, renewEveryMs }: DayPurseOptions): DayPurse {
  const open = createOpenReservations({ database, log, everyMs: renewEveryMs })

  async function readToday(accountId: string): Promise<DaySpend & { readonly seconds_left: number }> {
    const [row] = await database.query<DaySpend & { seconds_left: number }>(spendStatement, [accountId])
    if (row === undefined) throw new Error('the spend of a day was not answered')
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
      if (isDatabaseUnavailable(error)) giveBack(reservationId, callId)
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

  /** When the connection broke nobody knows whether the money was set aside; for a call that never was, it must not stay so. */
  function giveBack(reservationId: string, callId: string): void {
    usage.record({ settlement: { reservationId, callId, microDollars: 0 } }).catch((error: unknown) => {
      log.warn({ err: error }, 'money may stay reserved for a call that was not made')
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
    // A call that is dearer than a whole day is not helped by another day.
    ...(needed <= limit && { retryAfterSeconds: seconds_left }),
  })
}

function inDollars(microDollars: number): string {
  return `$${(microDollars / 1_000_000).toFixed(6).replace(/0{1,4}$/, '')}`
}
