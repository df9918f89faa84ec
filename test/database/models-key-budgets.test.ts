import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { settleLostReservations } from '../../src/models/budgets/lost-reservations.ts'
import type { KeyBudget } from '../../src/models/budgets/scopes.ts'
import {
  type CallAccounting,
  connectAgain,
  openCallAccounting,
  someCall,
  someRecord,
} from './models-accounting.ts'
import { compareDays, createCallAccountingDatabase } from './models-accounting-database.ts'

const plenty = 1_000_000_000

function budgetOf({ budget }: CallAccounting, key: KeyBudget, microDollarsPerDay = plenty) {
  return budget.of({ accountId: 'ada', microDollarsPerDay, key })
}

async function pay(
  { usage }: CallAccounting,
  budget: ReturnType<typeof budgetOf>,
  amount: number,
  cost: number,
) {
  const reservation = await budget.reserve(amount, someCall())
  await usage.record({ settlement: await reservation.settle(cost) })
}

describe('the budgets of an API key', () => {
  test.each([
    ['microDollarsPerDay', 'day', 'the $0.0001 that this API key may spend today'],
    ['microDollarsPerMonth', 'month', 'the $0.0001 that this API key may spend this month'],
    ['microDollarsTotal', 'total', 'the $0.0001 that this API key may spend in all'],
  ] as const)('hold to the micro-dollar: %s', async (limit, period, text) => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const budget = budgetOf(callAccounting, { id: 'k1', [limit]: 100 })
    await pay(callAccounting, budget, 80, 60)
    await budget.reserve(39, someCall())
    await expect(budget.reserve(2, someCall())).rejects.toMatchObject({
      code: 'budget_used_up',
      status: 429,
      message: `This call may cost up to $0.000002, and $0.000001 of ${text} is left.`,
      details: { needed: 2, limit: 100, spent: 60, reserved: 39, budget: 'key', period },
    })
    await budget.reserve(1, someCall())
    // Another key of the account has its own budgets.
    await budgetOf(callAccounting, { id: 'k2', [limit]: 100 }).reserve(100, someCall())
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 60, reserved: 140 })
  })

  test('do not replace that of the account, and a refused call reserves nothing in any scope', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const key = { id: 'k1', microDollarsPerDay: 100, microDollarsPerMonth: 1000, microDollarsTotal: 1000 }
    await expect(budgetOf(callAccounting, key, 50).reserve(51, someCall())).rejects.toMatchObject({
      details: { budget: 'account', period: 'day', limit: 50 },
    })
    await expect(budgetOf(callAccounting, key, 500).reserve(101, someCall())).rejects.toMatchObject({
      details: { budget: 'key', period: 'day', limit: 100 },
    })
    const nothing = { spent: 0, reserved: 0 }
    expect(await callAccounting.budget.spentToday('ada')).toEqual(nothing)
    expect(await callAccounting.budget.spentByKey('k1')).toEqual({
      day: nothing,
      month: nothing,
      total: nothing,
    })
  })

  test('count spending before a limit was set', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await pay(callAccounting, budgetOf(callAccounting, { id: 'k1' }), 90, 90)
    await expect(
      budgetOf(callAccounting, { id: 'k1', microDollarsTotal: 100 }).reserve(11, someCall()),
    ).rejects.toMatchObject({ details: { spent: 90, budget: 'key', period: 'total' } })
  })

  test('start again with the day and the month in UTC, the total does not', async () => {
    await using database = await createCallAccountingDatabase()
    let now = new Date('2026-03-30T23:59:59.999Z')
    await using callAccounting = openCallAccounting(database, { now: () => now })
    const key = { id: 'k1', microDollarsPerDay: 100, microDollarsPerMonth: 150, microDollarsTotal: 250 }
    const budget = budgetOf(callAccounting, key)
    const refusal = async (amount: number) =>
      await budget.reserve(amount, someCall()).then(
        () => undefined,
        (error: { details: { period: string }; retryAfterSeconds?: number }) => [
          error.details.period,
          error.retryAfterSeconds,
        ],
      )
    await pay(callAccounting, budget, 100, 100)
    expect(await refusal(1)).toEqual(['day', 1])
    now = new Date('2026-03-31T12:00:00Z')
    await pay(callAccounting, budget, 50, 50)
    expect(await refusal(1)).toEqual(['month', 43_200])
    now = new Date('2026-04-01T00:00:00Z')
    await pay(callAccounting, budget, 100, 100)
    now = new Date('2026-04-02T00:00:00Z')
    expect(await refusal(1)).toEqual(['total', undefined])
    expect(await callAccounting.budget.spentByKey('k1')).toEqual({
      day: { spent: 0, reserved: 0 },
      month: { spent: 100, reserved: 0 },
      total: { spent: 250, reserved: 0 },
    })
  })

  test('count lost calls in full, and correct a call that was not lost', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const budget = budgetOf(callAccounting, { id: 'k1', microDollarsTotal: 1000 })
    const [slept, lost] = [someCall({ tags: ['nightly'] }), someCall()]
    const reservation = await budget.reserve(600, slept)
    await budget.reserve(100, lost)
    expect(await settleLostReservations(database, new Date(Date.now() + 86_400_000))).toBe(2)
    const spent = async () => (await callAccounting.budget.spentByKey('k1')).total
    expect(await spent()).toEqual({ spent: 700, reserved: 0 })
    expect(
      await database.query('select key_id, tags from model_calls where id = $1', [slept.callId]),
    ).toEqual([{ key_id: 'k1', tags: ['nightly'] }])
    const call = someRecord({ id: slept.callId, microDollars: 45, keyId: 'k1' })
    await callAccounting.usage.record({ call, settlement: await reservation.settle(45) })
    expect(await spent()).toEqual({ spent: 145, reserved: 0 })
    const { kept, counted } = await compareDays(database)
    expect(kept).toEqual(counted)
  })
})

describe('concurrent reservations', () => {
  const account = 9000
  const keys = [
    { id: 'k1', microDollarsPerDay: 3000, microDollarsPerMonth: 4000, microDollarsTotal: 5000 },
    { id: 'k2', microDollarsPerDay: 5000, microDollarsPerMonth: 3500, microDollarsTotal: 5000 },
    { id: 'k3', microDollarsPerDay: 5000, microDollarsPerMonth: 5000, microDollarsTotal: 3200 },
    { id: 'k4' },
  ] as const

  /** From here on PostgreSQL refuses a commit above the limit of any scope. */
  async function guardScopes(database: Database): Promise<void> {
    await database.query(`
      alter table model_spend_scopes add constraint within check (spent + reserved <= case
        when scope = 'account:ada' then ${account}
        when scope = 'key:k1' then 3000
        when scope = 'key:k2' then 3500
        when scope = 'key:k3' then 3200
        else ${account}
      end)
    `)
  }

  test('exceed no scope in any interleaving, and end as the sum of their costs', async () => {
    await using database = await createCallAccountingDatabase()
    await using elsewhere = await connectAgain(database.url)
    await using here = openCallAccounting(database)
    await using there = openCallAccounting(elsewhere)
    await guardScopes(database)
    const costs = new Map<string, number>()
    const failures: unknown[] = []
    const results = await Promise.all(
      Array.from({ length: 600 }, async (_, index) => {
        const callAccounting = index % 2 ? here : there
        const key = keys[Math.floor(Math.random() * keys.length)] as KeyBudget
        const amount = 1 + Math.floor(Math.random() * 200)
        const cost = Math.floor(Math.random() * (amount + 1))
        // Starts at different times, so that reservations and settlements mix.
        for (let turn = Math.random() * 40; turn > 0; turn -= 1) await new Promise(setImmediate)
        try {
          await pay(callAccounting, budgetOf(callAccounting, key, account), amount, cost)
        } catch (error) {
          failures.push(error)
          return 0
        }
        costs.set(key.id, (costs.get(key.id) ?? 0) + cost)
        return cost
      }),
    )
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.filter((error) => (error as { code?: string }).code !== 'budget_used_up')).toEqual([])
    const total = results.reduce((sum, cost) => sum + cost, 0)
    expect(await here.budget.spentToday('ada')).toEqual({ spent: total, reserved: 0 })
    for (const { id } of keys) {
      const spend = { spent: costs.get(id) ?? 0, reserved: 0 }
      expect(await here.budget.spentByKey(id)).toEqual({ day: spend, month: spend, total: spend })
    }
    expect(await database.query('select id from model_reservations')).toEqual([])
  })

  test('of one process share commits: 200 calls need a few statements', async () => {
    await using database = await createCallAccountingDatabase()
    let statements = 0
    await using callAccounting = openCallAccounting({
      ...database,
      query(text, values, name) {
        statements += 1
        return database.query(text, values, name)
      },
    })
    const budget = budgetOf(callAccounting, { id: 'k1', microDollarsPerDay: 1500 })
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, () => budget.reserve(10, someCall())),
    )
    // In the order of the calls: the first 150 fit.
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 200 }, (_, index) => index < 150),
    )
    expect(statements).toBeLessThanOrEqual(3)
  })
})
