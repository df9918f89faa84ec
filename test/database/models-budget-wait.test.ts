import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Reservation } from '../../src/models/budgets/budget.ts'
import { createReservationWriter, type ReservationRequest } from '../../src/models/budgets/reserve.ts'
import { scopesOf } from '../../src/models/budgets/scopes.ts'
import { createWaitQueue } from '../../src/models/budgets/wait-queue.ts'
import { patience } from '../support/patience.ts'
import { type CallAccounting, connectAgain, openCallAccounting, someCall } from './models-accounting.ts'
import { createCallAccountingDatabase } from './models-accounting-database.ts'

/** Longer than a test. */
const long = 300_000

function budgetOf({ budget }: CallAccounting, microDollarsPerDay: number, accountId = 'ada') {
  return budget.of({ accountId, microDollarsPerDay })
}

async function settle({ usage }: CallAccounting, reservation: Reservation, cost: number): Promise<void> {
  await usage.record({ settlement: await reservation.settle(cost) })
}

const request = (microDollars: number, accountId = 'ada'): ReservationRequest => ({
  id: crypto.randomUUID(),
  accountId,
  keyId: undefined,
  microDollars,
  scopes: scopesOf({ accountId, microDollarsPerDay: 100 }),
  reservedFor: someCall(),
})

/** Notes the order in which promises fulfil. */
function createOrder() {
  const order: string[] = []
  return {
    order,
    note: async <Result>(name: string, work: Promise<Result>) => {
      const result = await work
      order.push(name)
      return result
    },
  }
}

describe('a call that only reserved money keeps out', () => {
  test('waits, and is admitted when the money returns', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { waitMs: long })
    const budget = budgetOf(callAccounting, 100)
    const first = await budget.reserve(80, someCall())
    const waiting = budget.reserve(70, someCall())
    await settle(callAccounting, first, 30)
    await waiting
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 30, reserved: 70 })
  })

  test('is admitted when another replica releases the money', async () => {
    await using database = await createCallAccountingDatabase()
    await using elsewhere = await connectAgain(database.url)
    await using here = openCallAccounting(database, { waitMs: long })
    await using there = openCallAccounting(elsewhere)
    const first = await budgetOf(there, 100).reserve(100, someCall())
    const waiting = budgetOf(here, 100).reserve(50, someCall())
    await settle(there, first, 50)
    await waiting
    expect(await here.budget.spentToday('ada')).toEqual({ spent: 50, reserved: 50 })
  })

  test('is refused after the wait, with the amounts of that time', async () => {
    await using database = await createCallAccountingDatabase()
    const waitMs = 1500 * patience
    await using callAccounting = openCallAccounting(database, { waitMs })
    const budget = budgetOf(callAccounting, 100)
    await budget.reserve(60, someCall())
    const started = performance.now()
    const other = await budget.reserve(30, someCall())
    const refused = budget.reserve(50, someCall()).catch((error: unknown) => error)
    await settle(callAccounting, other, 7)
    expect(await refused).toMatchObject({
      code: 'budget_used_up',
      details: { needed: 50, limit: 100, spent: 7, reserved: 60 },
      retryAfterSeconds: 1,
    })
    expect(performance.now() - started).toBeGreaterThanOrEqual(waitMs - 1)
  })

  test('is refused as soon as spending leaves too little', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { waitMs: long })
    const budget = budgetOf(callAccounting, 100)
    const first = await budget.reserve(80, someCall())
    const waiting = budget.reserve(70, someCall()).catch((error: unknown) => error)
    await settle(callAccounting, first, 31)
    expect(await waiting).toMatchObject({ details: { spent: 31, reserved: 0 } })
  })

  test('is refused at once when the money is spent', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { waitMs: long })
    const budget = budgetOf(callAccounting, 100)
    await settle(callAccounting, await budget.reserve(80, someCall()), 80)
    await budget.reserve(20, someCall())
    await expect(budget.reserve(21, someCall())).rejects.toMatchObject({ code: 'budget_used_up' })
  })

  test('waits in the order of arrival: small calls do not overtake a large one', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { waitMs: long })
    const budget = budgetOf(callAccounting, 100)
    const [first, second] = [await budget.reserve(50, someCall()), await budget.reserve(40, someCall())]
    const { order, note } = createOrder()
    const large = note('large', budget.reserve(90, someCall()))
    const small = [1, 2, 3].map((number) => note(`small ${number}`, budget.reserve(10, someCall())))
    await settle(callAccounting, first, 0)
    await delay(100)
    expect(order).toEqual([])
    await settle(callAccounting, second, 0)
    await settle(callAccounting, await large, 0)
    await Promise.all(small)
    expect(order[0]).toBe('large')
    expect(order.slice(1).toSorted()).toEqual(['small 1', 'small 2', 'small 3'])
  })

  test('leaves when it is cancelled, reserves nothing, and lets the next one in', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { waitMs: long })
    const budget = budgetOf(callAccounting, 100)
    await budget.reserve(60, someCall())
    const cancel = new AbortController()
    const cancelled = budget.reserve(90, someCall(), cancel.signal).catch((error: unknown) => error)
    const next = budget.reserve(40, someCall())
    await delay(50)
    cancel.abort(new Error('the caller left'))
    expect(await cancelled).toMatchObject({ message: 'the caller left' })
    await next
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 100 })
  })

  test('does not delay other accounts, nor other keys of the account', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { waitMs: long })
    const keyed = (id: string) =>
      callAccounting.budget.of({
        accountId: 'ada',
        microDollarsPerDay: 10_000,
        key: { id, microDollarsPerMonth: 100 },
      })
    const held = await keyed('k1').reserve(100, someCall())
    const { order, note } = createOrder()
    const refused = Array.from({ length: 100 }, () =>
      keyed('k1')
        .reserve(50, someCall())
        .catch(() => order.push('refused')),
    )
    await note('other key', keyed('k2').reserve(50, someCall()))
    await note('other account', budgetOf(callAccounting, 100, 'grace').reserve(100, someCall()))
    expect(order).toEqual(['other key', 'other account'])
    await settle(callAccounting, held, 100)
    await Promise.all(refused)
    expect(order).toHaveLength(102)
  })

  test('is admitted when the day changes', async () => {
    await using database = await createCallAccountingDatabase()
    let now = new Date('2026-12-31T23:59:59Z')
    await using callAccounting = openCallAccounting(database, { waitMs: long, now: () => now })
    const budget = budgetOf(callAccounting, 100)
    await budget.reserve(100, someCall())
    const waiting = budget.reserve(100, someCall())
    await delay(50)
    now = new Date('2027-01-01T00:00:00Z')
    await waiting
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 100 })
  })

  test('is one of a bounded number: further calls of the account are refused at once', async () => {
    await using database = await createCallAccountingDatabase()
    await using writer = createReservationWriter({ database })
    using queue = createWaitQueue({ writer, waitMs: long, maxPerAccount: 2 })
    expect(await queue.reserve(request(60))).toBeUndefined()
    const waiting = [queue.reserve(request(60)), queue.reserve(request(60))]
    const refused = waiting.map((promise) => promise.catch((error: unknown) => error))
    await delay(50)
    expect(await queue.reserve(request(60))).toMatchObject({ spent: 0, reserved: 60 })
    // A call that fits is admitted even so.
    expect(await queue.reserve(request(40))).toBeUndefined()
    expect(await queue.reserve(request(100, 'grace'))).toBeUndefined()
    queue[Symbol.dispose]()
    for (const error of await Promise.all(refused)) expect(error).toMatchObject({ code: 'shutting_down' })
  })
})

test('200 calls on two replicas are all admitted, though the budget covers at most two at a time', async () => {
  await using database = await createCallAccountingDatabase()
  await using elsewhere = await connectAgain(database.url)
  await using here = openCallAccounting(database, { waitMs: long })
  await using there = openCallAccounting(elsewhere, { waitMs: long })
  const limit = 200 * 7 + 1000
  await database.query(
    `alter table model_spend_scopes add constraint within check (spent + reserved <= ${limit})`,
  )
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const callAccounting = index % 2 ? here : there
      const reservation = await budgetOf(callAccounting, limit).reserve(1000, someCall())
      await delay(Math.random() * 10)
      await settle(callAccounting, reservation, 7)
    }),
  )
  expect(await here.budget.spentToday('ada')).toEqual({ spent: 1400, reserved: 0 })
})
