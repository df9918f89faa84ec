import { randomUUIDv7 } from 'node:crypto'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import type { Budget, Reservation, ReservedFor, Settlement } from './budget.ts'
import { createOpenReservations } from './open-reservations.ts'
import { createReservationWriter, type ReservationRequest } from './reserve.ts'
import { budgetUsedUp, nameOf, type Payer, scopesOf } from './scopes.ts'
import { createWaitQueue } from './wait-queue.ts'

/** The part of a budget that is used, in micro-dollars. */
interface Spend {
  readonly spent: number
  /** Reserved for running calls. */
  readonly reserved: number
}

/** The spend of an API key in the current day and month in UTC and in all. */
export type KeySpend = Readonly<Record<'day' | 'month' | 'total', Spend>>

/** Budgets of accounts and API keys, shared by all replicas. */
export interface Budgets extends AsyncDisposable {
  of(payer: Payer): Budget
  spentToday(accountId: string): Promise<Spend>
  /** In the order of the ids. */
  spentTodayBy(accountIds: readonly string[]): Promise<readonly Spend[]>
  spentByKey(keyId: string): Promise<KeySpend>
  /** In the order of the ids. */
  spentByKeys(keyIds: readonly string[]): Promise<readonly KeySpend[]>
}

export interface BudgetsOptions {
  readonly database: Database
  readonly usage: UsageRecorder
  readonly log: Logger
  /** How long a call waits for money that is reserved for running calls; not at all by default. */
  readonly waitMs?: number
  readonly renewEveryMs?: number
  /** Replaces the clock of the database in tests. */
  readonly now?: () => Date
}

const spendStatement = `
  select wanted.scope, kind, coalesce(spent, 0) as spent, coalesce(reserved, 0) as reserved
  from unnest($1::text[]) as wanted (scope)
  cross join unnest(array['day', 'month', 'total']) as kind
  left join model_spend_scopes as known
    on known.scope = wanted.scope and period = model_spend_period(kind, coalesce($2::timestamptz, now()))
`

const nothing: Spend = { spent: 0, reserved: 0 }

export function createBudgets(options: BudgetsOptions): Budgets {
  const { database, usage, log, waitMs = 0, renewEveryMs, now } = options
  const open = createOpenReservations({ database, log, everyMs: renewEveryMs })
  const writer = createReservationWriter({ database, now })
  const queue = createWaitQueue({ writer, waitMs })

  async function readSpends(scopes: readonly string[]): Promise<readonly KeySpend[]> {
    if (scopes.length === 0) return []
    const rows = await database.query<Spend & { scope: string; kind: keyof KeySpend }>(spendStatement, [
      scopes,
      now?.() ?? null,
    ])
    const found = new Map(
      rows.map(({ scope, kind, spent, reserved }) => [nameOf({ scope, kind }), { spent, reserved }]),
    )
    return scopes.map((scope) => {
      const of = (kind: keyof KeySpend) => found.get(nameOf({ scope, kind })) ?? nothing
      return { day: of('day'), month: of('month'), total: of('total') }
    })
  }

  async function readSpend(scope: string): Promise<KeySpend> {
    const [spend] = await readSpends([scope])
    return spend ?? { day: nothing, month: nothing, total: nothing }
  }

  async function reserve(
    payer: Payer,
    microDollars: number,
    reservedFor: ReservedFor,
    signal: AbortSignal | undefined,
  ): Promise<Reservation> {
    const request: ReservationRequest = {
      id: randomUUIDv7(),
      accountId: payer.accountId,
      keyId: payer.key?.id,
      microDollars,
      scopes: scopesOf(payer),
      reservedFor,
    }
    const settlement = (cost: number): Settlement => ({
      reservationId: request.id,
      callId: reservedFor.callId,
      microDollars: cost,
      onSettled: () => queue.wake(request),
    })
    try {
      const shortage = await queue.reserve(request, signal)
      if (shortage !== undefined) throw budgetUsedUp(microDollars, shortage, now?.() ?? new Date())
    } catch (error) {
      if (isDatabaseUnavailable(error)) release(settlement(0))
      throw error
    }
    open.add(request.id)
    return {
      async settle(cost) {
        open.remove(request.id)
        return settlement(cost)
      },
    }
  }

  /** After a broken connection the reservation may exist, although its call is never made: it must be released. */
  function release(settlement: Settlement): void {
    usage.record({ settlement }).catch((error: unknown) => {
      log.warn(
        { err: error },
        'a reservation could not be released; it expires by itself and counts as spent',
      )
    })
  }

  return {
    of: (payer) => ({
      reserve: (microDollars, reservedFor, signal) => reserve(payer, microDollars, reservedFor, signal),
    }),
    spentToday: async (accountId) => (await readSpend(`account:${accountId}`)).day,
    spentTodayBy: async (accountIds) => {
      const spends = await readSpends(accountIds.map((accountId) => `account:${accountId}`))
      return spends.map(({ day }) => day)
    },
    spentByKey: (keyId) => readSpend(`key:${keyId}`),
    spentByKeys: (keyIds) => readSpends(keyIds.map((keyId) => `key:${keyId}`)),
    async [Symbol.asyncDispose]() {
      queue[Symbol.dispose]()
      open[Symbol.dispose]()
      await writer[Symbol.asyncDispose]()
    },
  }
}
