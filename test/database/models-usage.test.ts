import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createModelsTasks, pruneCalls } from '../../src/models/maintenance-tasks.ts'
import type { CallRecord } from '../../src/models/usage/call-record.ts'
import { createUsage } from '../../src/models/usage/usage.ts'
import { openCallAccounting, quiet, someCall, someRecord } from './models-accounting.ts'
import { compareDays, createCallAccountingDatabase } from './models-accounting-database.ts'

const day = (text: string, hour = 12) => new Date(`${text}T${String(hour).padStart(2, '0')}:00:00Z`)

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}

/** A recorded call with this start time, which is part of its id, too. */
function recordOf(startedAt: Date, fields: Partial<CallRecord> = {}): CallRecord {
  const time = startedAt.getTime().toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`
  return someRecord({ id, startedAt, ...fields })
}

const idsInOrder = (calls: readonly CallRecord[]) => calls.map(({ id }) => id).sort()

function anyRecord(): CallRecord {
  return someRecord({
    accountId: pick(['ada', 'grace', 'linus']),
    provider: pick(['openai', 'ollama']),
    model: pick(['gpt-4o-mini', 'gemma3:4b']),
    source: pick(['gateway', 'workflows']),
    startedAt: day(pick(['2026-03-01', '2026-03-02']), pick([0, 23])),
    inputTokens: pick([null, 10, 5000]),
    cachedInputTokens: pick([null, 0, 4]),
    outputTokens: pick([null, 0, 700]),
    microDollars: pick([null, 0, 123_456]),
    latencyMs: pick([0, 1, 60_000]),
    firstTokenMs: pick([null, 0, 90]),
    outcome: pick(['answered', 'answered', 'failed', 'cancelled']),
    cacheHit: pick([true, false]),
  })
}

describe('recorded calls', () => {
  test('add up to the stored days, with concurrent writers', async () => {
    await using database = await createCallAccountingDatabase()
    await using here = openCallAccounting(database)
    await using there = openCallAccounting(database)
    const records = Array.from({ length: 400 }, anyRecord)
    await Promise.all(records.map((call, index) => (index % 2 ? here : there).usage.record({ call })))
    const { kept, counted } = await compareDays(database)
    expect(kept.length).toBeGreaterThan(20)
    expect(kept).toEqual(counted)
  })

  test('count once, though they are recorded twice', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const call = someRecord()
    await callAccounting.usage.record({ call })
    await callAccounting.usage.record({ call })
    await Promise.all([callAccounting.usage.record({ call }), callAccounting.usage.record({ call })])
    expect(await database.query('select calls, micro_dollars from model_usage_days')).toEqual([
      { calls: 1, micro_dollars: 7 },
    ])
  })

  test('are committed together with their cost', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const budget = callAccounting.budget.of({ accountId: 'ada', microDollarsPerDay: 1000 })
    const about = someCall()
    const reservation = await budget.reserve(100, about)
    const settlement = await reservation.settle(7)
    // A row that PostgreSQL refuses also rolls the payment back.
    const impossible = someRecord({ id: about.callId, attempts: 0 })
    await expect(callAccounting.usage.record({ call: impossible, settlement })).rejects.toThrow('attempts')
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 0, reserved: 100 })
    await callAccounting.usage.record({ call: { ...impossible, attempts: 1 }, settlement })
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 7, reserved: 0 })
  })
})

describe('the totals', () => {
  const calls = [
    someRecord({ startedAt: day('2026-03-01'), microDollars: 10 }),
    someRecord({ startedAt: day('2026-03-01', 23), microDollars: 20, model: 'gpt-4o', outcome: 'failed' }),
    someRecord({
      startedAt: day('2026-03-02', 0),
      microDollars: null,
      provider: 'ollama',
      model: 'gemma3:4b',
    }),
    someRecord({ startedAt: day('2026-03-02'), microDollars: 5, accountId: 'grace', source: 'workflows' }),
    someRecord({ startedAt: day('2026-03-04'), microDollars: 1000 }),
  ]
  const march = { from: '2026-03-01', to: '2026-03-02', groupBy: [] } as const

  test('cover the requested days', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await Promise.all(calls.map((call) => callAccounting.usage.record({ call })))
    const usage = createUsage({ database })
    expect(await usage.totals(march)).toEqual({
      totals: {
        calls: 4,
        failures: 1,
        cancelled: 0,
        cache_hits: 0,
        unpriced_calls: 1,
        input_tokens: 400,
        cached_input_tokens: 160,
        output_tokens: 80,
        micro_dollars: 35,
        latency_ms_sum: 2700,
        first_token_ms_sum: 800,
        first_token_count: 4,
      },
      rows: [],
      truncated: false,
    })
    expect((await usage.totals({ ...march, from: '2026-01-01', to: '2026-01-31' })).totals.calls).toBe(0)
  })

  test.each([
    [['day'], { day: '2026-03-01', calls: 2 }, { day: '2026-03-02', calls: 2 }],
    [
      ['account'],
      { account: 'ada', calls: 3, micro_dollars: 30 },
      { account: 'grace', calls: 1, micro_dollars: 5 },
    ],
    [['provider'], { provider: 'openai', calls: 3 }, { provider: 'ollama', calls: 1, unpriced_calls: 1 }],
    [['source'], { source: 'gateway', calls: 3 }, { source: 'workflows', calls: 1 }],
    [
      ['model'],
      { model: 'gpt-4o', micro_dollars: 20, failures: 1 },
      { model: 'gpt-4o-mini', micro_dollars: 15 },
      { model: 'gemma3:4b', micro_dollars: 0 },
    ],
    [
      ['day', 'account'],
      { day: '2026-03-01', account: 'ada', calls: 2 },
      { day: '2026-03-02', account: 'grace', calls: 1 },
      { day: '2026-03-02', account: 'ada', calls: 1 },
    ],
  ] as const)('are grouped by %j', async (groupBy, ...rows) => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await Promise.all(calls.map((call) => callAccounting.usage.record({ call })))
    const report = await createUsage({ database }).totals({ ...march, groupBy })
    expect(report.rows).toMatchObject(rows)
    expect(report.rows).toHaveLength(rows.length)
  })

  test('are filtered by account, provider, model or source', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    await Promise.all(calls.map((call) => callAccounting.usage.record({ call })))
    const usage = createUsage({ database })
    const countOf = async (filter: object) => (await usage.totals({ ...march, ...filter })).totals.calls
    expect(await countOf({ account: 'grace' })).toBe(1)
    expect(await countOf({ account: 'ada', provider: 'openai' })).toBe(2)
    expect(await countOf({ model: 'gemma3:4b' })).toBe(1)
    expect(await countOf({ source: 'workflows' })).toBe(1)
    expect(await countOf({ account: "' or true --" })).toBe(0)
  })
})

describe('the list of calls', () => {
  test('is paged, the newest first, while calls are added', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const calls = Array.from({ length: 25 }, () => someRecord())
    await Promise.all(calls.map((call) => callAccounting.usage.record({ call })))
    const usage = createUsage({ database })
    const seen: string[] = []
    let after: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const { calls: listed, next } = await usage.calls({ limit: 10, after })
      seen.push(...listed.map(({ id }) => id))
      after = next ?? undefined
      await callAccounting.usage.record({ call: someRecord() })
    }
    expect(after).toBeUndefined()
    expect(seen).toEqual(idsInOrder(calls).toReversed())
  })

  test('has every field as recorded', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const call = anyRecord()
    await callAccounting.usage.record({ call })
    expect((await createUsage({ database }).calls({ limit: 5 })).calls).toEqual([call])
  })

  test('is filtered by account, model, outcome and time', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const first = recordOf(day('2026-03-01'))
    const second = recordOf(day('2026-03-02'), { accountId: 'grace', model: 'gpt-4o' })
    const third = recordOf(day('2026-03-03'), { outcome: 'failed', failureCode: 'provider_timeout' })
    for (const call of [first, second, third]) await callAccounting.usage.record({ call })
    const usage = createUsage({ database })
    const idsOf = async (filter: object) =>
      (await usage.calls({ limit: 5, ...filter })).calls.map(({ id }) => id)
    expect(await idsOf({ account: 'ada' })).toEqual([third.id, first.id])
    expect(await idsOf({ model: 'gpt-4o' })).toEqual([second.id])
    expect(await idsOf({ outcome: 'failed' })).toEqual([third.id])
    expect(await idsOf({ from: day('2026-03-02'), to: day('2026-03-03') })).toEqual([second.id])
    expect(await idsOf({ provider: 'ollama' })).toEqual([])
    expect(await idsOf({ source: 'gateway', account: 'grace' })).toEqual([second.id])
  })
})

describe('old calls', () => {
  test('are deleted in several steps, and their days stay', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const cutOff = day('2026-01-02')
    const old = Array.from({ length: 5100 }, (_, index) => recordOf(new Date(cutOff.getTime() - 1 - index)))
    const kept = [recordOf(cutOff), someRecord()]
    await Promise.all([...old, ...kept].map((call) => callAccounting.usage.record({ call })))
    const before = await database.query('select * from model_usage_days order by day')
    expect(await pruneCalls(database, { olderThan: cutOff })).toBe(5100)
    expect(await pruneCalls(database, { olderThan: cutOff })).toBe(0)
    expect(await database.query('select id from model_calls order by id')).toEqual(
      kept.map(({ id }) => ({ id })),
    )
    expect(await database.query('select * from model_usage_days order by day')).toEqual(before)
  })

  test('are deleted by tasks, and so are lost reservations and old days', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const budget = callAccounting.budget.of({ accountId: 'ada', microDollarsPerDay: 1000 })
    await budget.reserve(10, someCall())
    await database.query(`update model_reservations set expires_at = now() - interval '1 second'`)
    await callAccounting.usage.record({ call: recordOf(day('2026-01-01')) })
    await database.query(`
      insert into model_spend_scopes (scope, period, spent, reserved)
      select 'key:a', model_spend_period(kind, now() - interval '100 days'), 5, reserved
      from unnest(array['day', 'month', 'total'], array[0, 0, 0]) as past (kind, reserved)
      union all
      select 'account:grace', model_spend_period('day', now() - interval '100 days'), 5, 5
    `)
    const tasks = createModelsTasks({
      database,
      log: quiet,
      settings: { recordingRetentionMs: 1000, callRetentionMs: 86_400_000 },
    })
    expect(tasks.map(({ name }) => name)).toEqual([
      'models.lost-calls',
      'models.clean-up',
      'models.delete-recordings',
    ])
    for (const task of tasks) await task.run(new AbortController().signal)
    expect(await callAccounting.budget.spentToday('ada')).toEqual({ spent: 10, reserved: 0 })
    expect(await database.query('select outcome from model_calls')).toEqual([{ outcome: 'lost' }])
    expect(await database.query('select scope from model_spend_scopes order by period, scope')).toEqual([
      { scope: 'account:grace' },
      { scope: 'account:ada' },
      { scope: 'key:a' },
    ])
  })
})
