import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { settleLostReservations } from '../../src/models/budgets/lost-reservations.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/process.ts'
import type { TestDatabase } from '../support/test-database.ts'
import {
  type CallAccounting,
  connectAgain,
  openCallAccounting,
  someCall,
  someRecord,
} from './models-accounting.ts'
import { compareDays, createCallAccountingDatabase } from './models-accounting-database.ts'

const afterAll = new Date(Date.now() + 24 * 3_600_000)

function accountBudgetOf({ budget }: CallAccounting, microDollarsPerDay: number, accountId = 'ada') {
  return budget.of({ accountId, microDollarsPerDay })
}

/** From here on PostgreSQL refuses a commit above the limit. */
async function guardLimit(database: Database, limit: number): Promise<void> {
  await database.query(
    `alter table model_spend_scopes add constraint within check (spent + reserved <= ${limit})`,
  )
}

const randomAmounts = (count: number) =>
  Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 999))
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

async function spend(
  { usage }: CallAccounting,
  budget: ReturnType<typeof accountBudgetOf>,
  amount: number,
  cost: number,
) {
  const reservation = await budget.reserve(amount, someCall())
  await usage.record({ settlement: await reservation.settle(cost) })
  return cost
}

/** A call for each account, settled at once. */
function payAll(callAccounting: CallAccounting, accounts: readonly string[]): Promise<void>[] {
  return accounts.map(async (accountId) => {
    const about = someCall()
    const reservation = await accountBudgetOf(callAccounting, 1000, accountId).reserve(10, about)
    const call = someRecord({ id: about.callId, accountId, microDollars: 3 })
    await callAccounting.usage.record({ call, settlement: await reservation.settle(3) })
  })
}

function startSpender(database: TestDatabase, order: object) {
  return startProcess({
    file: new URL('./models-spender-process.ts', import.meta.url),
    env: { DATABASE_URL: database.url, SPENDER: JSON.stringify(order) },
  })
}

describe('a daily budget', () => {
  test('is met exactly by 200 concurrent reservations on two pools', async () => {
    await using database = await createCallAccountingDatabase()
    await using elsewhere = await connectAgain(database.url)
    await using here = openCallAccounting(database)
    await using there = openCallAccounting(elsewhere)
    const limit = 40_000
    await guardLimit(database, limit)
    const amounts = randomAmounts(200)
    const results = await Promise.allSettled(
      amounts.map((amount, index) =>
        accountBudgetOf(index % 2 ? here : there, limit).reserve(amount, someCall()),
      ),
    )
    const taken = sum(amounts.filter((_, index) => results[index]?.status === 'fulfilled'))
    expect(taken).toBeLessThanOrEqual(limit)
    expect(await here.budget.spentToday('ada')).toEqual({ spent: 0, reserved: taken })
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue
      expect(result.reason).toMatchObject({
        code: 'budget_used_up',
        details: { needed: amounts[index], limit },
      })
      // A refused call would still not fit.
      expect(amounts[index]).toBeGreaterThan(limit - taken)
    }
  })

  test('admits exactly as many calls of one price as it can pay for, from two processes', async () => {
    await using database = await createCallAccountingDatabase()
    await guardLimit(database, 1000)
    const order = { limit: 1000, amounts: Array.from({ length: 100 }, () => 10), afterwards: 'hold' }
    await using first = await startSpender(database, order)
    await using second = await startSpender(database, order)
    await Promise.all([first.waitForLine(/^done/), second.waitForLine(/^done/)])
    const lines = [...first.stdout, ...second.stdout]
    expect(lines.filter((line) => line === 'taken 10')).toHaveLength(100)
    expect(lines.filter((line) => line === 'refused 10')).toHaveLength(100)
  })

  test('is never exceeded by concurrent payments, and ends as the sum of their costs', async () => {
    await using database = await createCallAccountingDatabase()
    await using elsewhere = await connectAgain(database.url)
    await using here = openCallAccounting(database)
    await using there = openCallAccounting(elsewhere)
    const limit = 20_000
    await guardLimit(database, limit)
    const amounts = randomAmounts(200)
    // It needs a small part of the budget, so that enough is left for the others.
    await using child = await startSpender(database, {
      limit,
      amounts: randomAmounts(100).map((amount) => Math.ceil(amount / 20)),
      afterwards: 'settle',
    })
    await child.waitForLine(/^taken/)
    const results = await Promise.allSettled(
      amounts.map((amount, index) => {
        const callAccounting = index % 2 ? here : there
        return spend(
          callAccounting,
          accountBudgetOf(callAccounting, limit),
          amount,
          Math.floor(Math.random() * (amount + 1)),
        )
      }),
    )
    await child.exit
    const costs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const inChild = child.stdout.flatMap((line) => {
      const amount = /^taken (\d+)/.exec(line)?.[1]
      return amount === undefined ? [] : [Math.floor(Number(amount) / 2)]
    })
    expect(costs.length).toBeGreaterThan(20)
    expect(inChild.length).toBeGreaterThan(0)
    expect(await here.budget.spentToday('ada')).toEqual({ spent: sum(costs) + sum(inChild), reserved: 0 })
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'budget_used_up' })
    }
  })

  test('belongs to one account, may be used to the last micro-dollar, and reports the rest', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 0 })
    await spend(callAccounting, accountBudgetOf(callAccounting, 1_000_000), 400_000, 250_000)
    await accountBudgetOf(callAccounting, 1_000_000).reserve(749_999, someCall())
    await expect(accountBudgetOf(callAccounting, 1_000_000).reserve(2, someCall())).rejects.toMatchObject({
      code: 'budget_used_up',
      status: 429,
      message: "This call may cost up to $0.000002, and $0.000001 of today's $1.00 is left.",
      details: { needed: 2, limit: 1_000_000, spent: 250_000, reserved: 749_999 },
    })
    await accountBudgetOf(callAccounting, 1_000_000).reserve(1, someCall())
    await accountBudgetOf(callAccounting, 1_000_000, 'grace').reserve(1_000_000, someCall())
  })

  test('reports when to retry, unless no day would be enough', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await accountBudgetOf(callAccounting, 10).reserve(10, someCall())
    const refused = await accountBudgetOf(callAccounting, 10)
      .reserve(1, someCall())
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ retryAfterSeconds: expect.any(Number) })
    const { retryAfterSeconds } = refused as { retryAfterSeconds: number }
    expect(retryAfterSeconds).toBeGreaterThan(0)
    expect(retryAfterSeconds).toBeLessThanOrEqual(86_400)
    await expect(accountBudgetOf(callAccounting, 10).reserve(11, someCall())).rejects.toMatchObject({
      retryAfterSeconds: undefined,
    })
    await expect(
      accountBudgetOf(callAccounting, 0, 'an-account').reserve(1, someCall()),
    ).rejects.toMatchObject({
      code: 'budget_used_up',
    })
  })

  test('of many accounts is paid concurrently without a deadlock', async () => {
    await using database = await createCallAccountingDatabase()
    await using elsewhere = await connectAgain(database.url)
    await using here = openCallAccounting(database)
    await using there = openCallAccounting(elsewhere)
    const accounts = Array.from({ length: 15 }, (_, index) => `account ${index}`)
    const rounds = Array.from({ length: 8 }, () => [
      ...payAll(here, accounts),
      ...payAll(there, accounts.toReversed()),
    ])
    await Promise.all(rounds.flat())
    for (const account of accounts) {
      expect(await here.budget.spentToday(account)).toEqual({ spent: 8 * 2 * 3, reserved: 0 })
    }
    const { kept, counted } = await compareDays(database)
    expect(kept).toEqual(counted)
  })

  test('gets a reservation back whose connection broke', async () => {
    await using database = await createCallAccountingDatabase()
    let isCut = false
    await using callAccounting = openCallAccounting({
      ...database,
      async query(text, values) {
        const rows = await database.query<never>(text, values)
        if (isCut || !text.includes('model_reserve(')) return rows
        isCut = true
        throw kernelFailure('database_unavailable')
      },
    })
    await expect(accountBudgetOf(callAccounting, 1000).reserve(10, someCall())).rejects.toMatchObject({
      code: 'database_unavailable',
    })
    await eventually(async () => (await callAccounting.budget.spentToday('ada')).reserved === 0)
    expect(await database.query('select id from model_reservations')).toEqual([])
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 0 })
  })

  test('never pays more for a call than was reserved', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await spend(callAccounting, accountBudgetOf(callAccounting, 100), 60, 1000)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 60, reserved: 0 })
  })

  test('pays on the day of the reservation, though the call ends on the next', async () => {
    await using database = await createCallAccountingDatabase()
    let now = new Date('2026-03-31T23:59:59Z')
    await using callAccounting = openCallAccounting(database, { now: () => now })
    const reservation = await accountBudgetOf(callAccounting, 100).reserve(80, someCall())
    now = new Date('2026-04-01T00:00:00Z')
    await accountBudgetOf(callAccounting, 100).reserve(100, someCall())
    await callAccounting.usage.record({ settlement: await reservation.settle(30) })
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 100 })
    expect(await database.query('select * from model_spend_scopes order by period')).toEqual([
      { scope: 'account:ada', period: '2026-03-31', spent: 30, reserved: 0 },
      { scope: 'account:ada', period: '2026-04-01', spent: 0, reserved: 100 },
    ])
  })
})

describe('reservations of a lost process', () => {
  test('count in full after a kill, with a call that says so', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await using child = await startSpender(database, { limit: 1000, amounts: [300, 200], afterwards: 'hold' })
    await child.waitForLine(/^done/)
    await child.kill()
    expect(await settleLostReservations(database)).toBe(0)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 500 })

    expect(await settleLostReservations(database, afterAll)).toBe(2)
    expect(await settleLostReservations(database, afterAll)).toBe(0)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 500, reserved: 0 })
    await expect(accountBudgetOf(callAccounting, 1000).reserve(501, someCall())).rejects.toMatchObject({
      code: 'budget_used_up',
    })
    const calls = await database.query('select * from model_calls order by micro_dollars')
    expect(calls).toMatchObject([
      { account_id: 'ada', provider: 'openai', model: 'gpt-4o-mini', outcome: 'lost', micro_dollars: 200 },
      { source: 'gateway', outcome: 'lost', micro_dollars: 300, estimated: true, latency_ms: null },
    ])
    const { kept, counted } = await compareDays(database)
    expect(kept).toEqual(counted)
    expect(kept).toMatchObject([{ calls: 2, failures: 2, micro_dollars: 500 }])
  })

  test('are settled in chunks when there are many', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await Promise.all(
      Array.from({ length: 620 }, () => accountBudgetOf(callAccounting, 10_000).reserve(3, someCall())),
    )
    expect(await settleLostReservations(database, afterAll)).toBe(620)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 1860, reserved: 0 })
  })

  test('are kept for a running call: its process renews them', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database, { renewEveryMs: 20 })
    const reservation = await accountBudgetOf(callAccounting, 100).reserve(80, someCall())
    await database.query(`update model_reservations set expires_at = now() - interval '1 second'`)
    await eventually(async () => {
      const [row] = await database.query<{ renewed: boolean }>(
        'select expires_at > now() as renewed from model_reservations',
      )
      return row?.renewed
    })
    expect(await settleLostReservations(database)).toBe(0)
    await callAccounting.usage.record({ settlement: await reservation.settle(10) })
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 10, reserved: 0 })
  })

  test('are corrected when the process had only paused: the call counts as it ended, once', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const [slept, other] = [someCall(), someCall()]
    const reservation = await accountBudgetOf(callAccounting, 1000).reserve(600, slept)
    await accountBudgetOf(callAccounting, 1000).reserve(100, other)
    await settleLostReservations(database, afterAll)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 700, reserved: 0 })

    const call = someRecord({ id: slept.callId, microDollars: 45 })
    const settlement = await reservation.settle(45)
    await callAccounting.usage.record({ call, settlement })
    // As it is repeated when the outcome of the commit is unknown.
    await callAccounting.usage.record({ call, settlement })
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 145, reserved: 0 })
    expect(await database.query('select outcome, micro_dollars from model_calls order by 1')).toEqual([
      { outcome: 'answered', micro_dollars: 45 },
      { outcome: 'lost', micro_dollars: 100 },
    ])
    const { kept, counted } = await compareDays(database)
    expect(kept).toEqual(counted)
  })
})
