import { createBatchWriter, type Database } from '#kernel/database'
import { plainText } from '../usage/call-record.ts'
import type { ReservedFor } from './budget.ts'
import { type BudgetScope, nameOf, type Shortage } from './scopes.ts'

/** A reservation that is not renewed for this long belongs to a lost process. */
export const reservationSeconds = 300

/** Money that is requested for a call. */
export interface ReservationRequest {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | undefined
  readonly microDollars: number
  readonly scopes: readonly BudgetScope[]
  readonly reservedFor: ReservedFor
}

/** Undefined when the money is reserved. */
export type ReserveOutcome = Shortage | undefined

/** Reserves the money of concurrent calls in groups: one statement and one commit for each group. */
export interface ReservationWriter extends AsyncDisposable {
  /**
   * Reserves in all scopes of the request or in none. A request that `mayWait` and does not fit keeps later ones out of its scope. Throws
   * when the database is unavailable: it is then unknown whether the money is reserved.
   */
  reserve(request: ReservationRequest, options: { readonly mayWait: boolean }): Promise<ReserveOutcome>
}

interface Entry {
  readonly request: ReservationRequest
  readonly mayWait: boolean
}

const reserveStatement = `
  select request, place, spent, reserved
  from model_reserve(
    $1::text[], $2::text[], $3::json,
    coalesce($4::timestamptz, now()), now() + ${reservationSeconds} * interval '1 second'
  )
`

interface ShortageRow {
  /** From 1. */
  readonly request: number
  readonly place: number
  readonly spent: number
  readonly reserved: number
}

/** `now` replaces the clock of the database in tests. */
export function createReservationWriter({
  database,
  now,
}: {
  readonly database: Database
  readonly now?: (() => Date) | undefined
}): ReservationWriter {
  const writer = createBatchWriter<Entry, ReserveOutcome>({ flush })

  async function flush(entries: readonly Entry[]): Promise<readonly ReserveOutcome[]> {
    const { scopes, placeOf } = numberScopes(entries)
    const requests = entries.map((entry) => describeEntry(entry, placeOf))
    const rows = await database.query<ShortageRow>(
      reserveStatement,
      [
        scopes.map(({ scope }) => scope),
        scopes.map(({ kind }) => kind),
        JSON.stringify(requests),
        now?.() ?? null,
      ],
      'models-reserve',
    )
    const shortages = new Map(rows.map((row) => [row.request, row]))
    return entries.map(({ request }, index) => {
      const row = shortages.get(index + 1)
      const scope = row && request.scopes.find((it) => placeOf(it) === row.place)
      return row && scope && { scope, spent: row.spent, reserved: row.reserved }
    })
  }

  return {
    reserve: (request, { mayWait }) => writer.write({ request, mayWait }),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

/** Numbers the distinct scopes of a group from 1. */
function numberScopes(entries: readonly Entry[]) {
  const places = new Map<string, number>()
  const scopes: BudgetScope[] = []
  for (const scope of entries.flatMap(({ request }) => request.scopes)) {
    const name = nameOf(scope)
    if (places.has(name)) continue
    scopes.push(scope)
    places.set(name, scopes.length)
  }
  return { scopes, placeOf: (scope: BudgetScope) => places.get(nameOf(scope)) }
}

function describeEntry({ request, mayWait }: Entry, placeOf: (scope: BudgetScope) => number | undefined) {
  const { id, accountId, keyId, microDollars, scopes, reservedFor } = request
  return {
    id,
    account_id: accountId,
    key_id: keyId,
    micro_dollars: microDollars,
    places: scopes.map(placeOf),
    limits: scopes.map(({ limit }) => limit),
    may_wait: mayWait,
    call_id: reservedFor.callId,
    source: plainText(reservedFor.source),
    provider: plainText(reservedFor.provider),
    model: plainText(reservedFor.model),
    requested_model: plainText(reservedFor.requestedModel),
    price_source: plainText(reservedFor.priceSource),
    price_version: reservedFor.priceVersion,
    attempts: reservedFor.attempts,
    tags: (reservedFor.tags ?? []).map(plainText),
  }
}
