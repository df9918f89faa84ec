import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import type { CatalogueEntry } from '#models'
import { createHistory } from '../../src/engine/history/history.ts'
import { addEnded, createHistoryDatabase, someFacts, someStep } from './engine-history-setting.ts'

const now = new Date('2026-03-10T12:00:00Z')
const yesterday = new Date('2026-03-09T12:00:00Z')

type Options = Parameters<typeof createHistory>[0]

function historyOf(database: Database, findModel: Options['findModel'] = async () => undefined) {
  return createHistory({ database, findModel, now: () => now })
}

const definition = {
  id: 'flow_1',
  label: 'One',
  steps: [
    { id: 'write', type: 'ai_prompt' as const, prompt: 'x'.repeat(400), ai_options: { max_tokens: 1000 } },
    {
      id: 'look',
      type: 'conditional' as const,
      dependencies: ['write'],
      conditions: [
        { field: 'a', operator: 'exists' as const, value: true, action: { type: 'continue' as const } },
      ],
    },
  ],
}

const looked = { id: 'look', type: 'conditional', state: 'completed', count: 1, ms: 2, attempts: 1 } as const

function priced(price: CatalogueEntry['price']): CatalogueEntry {
  const model = {
    id: 'm',
    created: null,
    ownedBy: 'x',
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: [],
    contextLength: null,
    maxOutputTokens: null,
  }
  return { provider: 'openai', model, price }
}

describe('the estimate of a flow', () => {
  test('comes from its own executions', async () => {
    await using database = await createHistoryDatabase()
    const steps = [someStep(), looked]
    await addEnded(database, [
      ...Array.from({ length: 9 }, () => someFacts({ finishedAt: yesterday, steps, spent: 400 })),
      someFacts({ finishedAt: yesterday, steps: [], status: 'failed', duration_ms: 60_000, spent: 9000 }),
      someFacts({ finishedAt: new Date('2026-01-01T00:00:00Z'), duration_ms: 600_000, spent: 99_000 }),
    ])
    const history = historyOf(database)
    await history.roll()
    const { duration, cost, steps: estimates } = await history.estimate({ definition })
    expect(duration).toMatchObject({ source: 'flow_history', sample: 9 })
    expect(duration.value).toBeGreaterThan(750)
    expect(duration.value).toBeLessThan(1350)
    expect(cost).toMatchObject({ value: 400, source: 'flow_history', sample: 9 })
    expect(estimates).toMatchObject([
      { stepId: 'write', duration: { source: 'flow_history', sample: 9 }, cost: { value: 500 }, runShare: 1 },
      { stepId: 'look', cost: { value: 0, source: 'catalogue' } },
    ])
  })

  test('comes from steps of the same types in other flows before its first run', async () => {
    await using database = await createHistoryDatabase()
    const all = Array.from({ length: 6 }, () =>
      someFacts({ finishedAt: yesterday, flow_id: 'other', steps: [someStep({ id: 'x' }), looked] }),
    )
    await addEnded(database, all)
    const history = historyOf(database)
    await history.roll()
    const { duration, cost } = await history.estimate({ definition, metadata: { estimated_duration: '1h' } })
    expect(duration).toMatchObject({ source: 'step_type_history', sample: 6 })
    expect(duration.value).toBeGreaterThan(500)
    expect(duration.value).toBeLessThan(1200)
    expect(cost).toMatchObject({ value: 500, source: 'step_type_history', sample: 6 })
  })

  test('comes from the price of its model, and from its author, without any run', async () => {
    await using database = await createHistoryDatabase()
    const price = {
      source: 'table' as const,
      prices: { input: 1_000_000, cachedInput: 0, output: 2_000_000 },
      version: '1',
    }
    const history = historyOf(database, async (name) => (name === 'auto' ? priced(price) : undefined))
    expect(
      await history.estimate({ definition, metadata: { estimated_duration: '90s', estimated_cost: 5 } }),
    ).toMatchObject({
      duration: { value: 90_000, source: 'metadata', sample: 0, confidence: null },
      // A hundred input tokens, and up to a thousand output tokens.
      cost: { value: 100 + 2000, source: 'catalogue', sample: 0 },
    })
    const unpriced = historyOf(database, async () => priced({ source: 'unpriced' }))
    expect(await unpriced.estimate({ definition, metadata: { estimated_cost: 5 } })).toMatchObject({
      duration: { value: null, source: null },
      cost: { value: 5_000_000, source: 'metadata' },
    })
    expect((await unpriced.estimate({ definition })).cost).toEqual({
      value: null,
      source: null,
      sample: 0,
      confidence: null,
    })
  })
})

test('statistics describe each flow', async () => {
  await using database = await createHistoryDatabase()
  await addEnded(database, [
    someFacts({ finishedAt: yesterday, steps: [someStep({ quality_sum: 80, quality_count: 1 })] }),
    someFacts({ finishedAt: yesterday, status: 'failed' }),
    someFacts({ finishedAt: yesterday, status: 'cancelled', flow_id: 'flow_2', unpriced: true }),
  ])
  const history = historyOf(database)
  await history.roll()
  const records = await history.records()
  expect(records.get('flow_1')).toMatchObject({
    executions: 2,
    completed: 1,
    failed: 1,
    successRate: 0.5,
    averageMicroDollars: 500,
    quality: 80,
    confidence: null,
  })
  expect(records.get('flow_2')).toMatchObject({
    successRate: null,
    medianMs: null,
    averageMicroDollars: null,
  })
  expect(records.has('*')).toBe(false)
})

test('a queue position is reached at the measured rate', async () => {
  await using database = await createHistoryDatabase()
  const history = historyOf(database)
  expect(await history.waitAt(3)).toEqual({ waitMs: null, perMinute: 0, sample: 0 })
  const finishedAt = new Date(now.getTime() - 2 * 60_000)
  await addEnded(
    database,
    Array.from({ length: 10 }, () => someFacts({ finishedAt, account_id: randomUUID() })),
  )
  await history.roll()
  expect(await history.waitAt(3)).toEqual({ waitMs: 36_000, perMinute: 5, sample: 10 })
})
