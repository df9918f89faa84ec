import { describe, expect, test } from 'vitest'
import { createHistory } from '../../src/engine/history/history.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { addEnded, createHistoryDatabase, someFacts, someStep, takeBack } from './engine-history-setting.ts'

const now = new Date('2026-03-31T12:34:56Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const ago = (ms: number) => new Date(now.getTime() - ms)

function historyAt(database: TestDatabase) {
  return createHistory({ database, findModel: async () => undefined, now: () => now })
}

/** A step of an agent. */
function byAgent(agent: string, step: Parameters<typeof someStep>[0] = {}) {
  return someStep({ id: `step_of_${agent}`, type: 'agent', agent, ...step })
}

async function saveFlow(database: TestDatabase, id: string, agents: readonly string[]): Promise<void> {
  const steps = agents.map((agent) => ({ id: `step_of_${agent}`, type: 'agent', agent }))
  await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [id])
  await database.query('insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)', [
    id,
    JSON.stringify({ id, label: id, steps }),
  ])
}

describe('agents', () => {
  test('have statistics over all flows, and other steps are not included', async () => {
    await using database = await createHistoryDatabase()
    await addEnded(database, [
      someFacts({
        finishedAt: ago(1000),
        steps: [byAgent('editor', { confidence_sum: 0.8, confidence_count: 1 }), someStep({ id: 'write' })],
      }),
      someFacts({
        finishedAt: ago(2000),
        flow_id: 'other',
        steps: [byAgent('editor', { state: 'failed', ms: 5 })],
      }),
      someFacts({ finishedAt: ago(3000), steps: [byAgent('auditor', { ms: 40, spent: 7 })] }),
      someFacts({ finishedAt: ago(2 * dayMs), steps: [byAgent('editor')] }),
    ])
    const history = historyAt(database)
    const agents = await history.agents({ timeframe: '24h' })
    expect([...agents.keys()].toSorted()).toEqual(['auditor', 'editor'])
    expect(agents.get('editor')).toMatchObject({
      completed: 1,
      failed: 1,
      duration_ms: 800,
      spent: 1000,
      completed_spent: 500,
      input_tokens: 240,
      confidence_sum: 0.8,
      confidence_count: 1,
    })
    expect(agents.get('auditor')).toMatchObject({ completed: 1, duration_ms: 40, spent: 7 })
    expect((await history.agents({ timeframe: '7d' })).get('editor')?.completed).toBe(2)
    expect([...(await history.agents({ timeframe: '24h', ids: ['auditor', 'unknown'] })).keys()]).toEqual([
      'auditor',
    ])
  })

  test('whose only run was subtracted have no statistics', async () => {
    await using database = await createHistoryDatabase()
    const facts = someFacts({ finishedAt: ago(1000), steps: [byAgent('editor')] })
    const [id] = await addEnded(database, [facts])
    const history = historyAt(database)
    expect((await history.agents({ timeframe: '1h' })).size).toBe(1)
    await takeBack(database, id ?? '', facts)
    expect((await history.agents({ timeframe: '1h' })).size).toBe(0)
  })

  test('are compared with the day before, with usage by hour and by flow', async () => {
    await using database = await createHistoryDatabase()
    await saveFlow(database, 'review', ['editor', 'auditor'])
    await saveFlow(database, 'audit', ['auditor'])
    const failed = { status: 'failed', error_code: 'PROVIDER_UNAVAILABLE' } as const
    await addEnded(database, [
      someFacts({
        finishedAt: ago(hourMs),
        flow_id: 'review',
        steps: [byAgent('editor'), byAgent('auditor')],
      }),
      someFacts({ finishedAt: ago(2 * hourMs), flow_id: 'review', steps: [byAgent('editor')], ...failed }),
      someFacts({ finishedAt: ago(3 * hourMs), flow_id: 'audit', steps: [byAgent('auditor')] }),
      someFacts({
        finishedAt: ago(26 * hourMs),
        flow_id: 'review',
        steps: [byAgent('editor', { spent: 11 })],
      }),
      someFacts({ finishedAt: ago(50 * dayMs), flow_id: 'review', steps: [byAgent('editor')] }),
      someFacts({ finishedAt: ago(hourMs), flow_id: 'no_agents' }),
    ])
    const history = historyAt(database)
    const all = await history.agentStats({})
    expect(all.agents.get('editor')?.completed).toBe(2)
    expect(all.agentsBefore.get('editor')).toMatchObject({ completed: 1, spent: 11 })
    expect(all.hours.map(({ completed }) => completed)).toEqual([1, 1, 1, 2])
    expect(all.days.map(({ completed }) => completed)).toEqual([1, 1, 4])
    expect(all.flows).toEqual([
      { flowId: 'review', executions: 2, failed: 1, agents: ['auditor', 'editor'] },
      { flowId: 'audit', executions: 1, failed: 0, agents: ['auditor'] },
    ])
    expect(all.errors).toEqual([{ flowId: 'review', code: 'PROVIDER_UNAVAILABLE', executions: 1 }])
    expect(all.completeAt).toEqual(now)

    const editor = await history.agentStats({ ids: ['editor'] })
    expect([...editor.agents.keys()]).toEqual(['editor'])
    expect(editor.hours.map(({ completed }) => completed)).toEqual([1, 1, 1])
    expect(editor.flows.map(({ flowId }) => flowId)).toEqual(['review'])
  })
})

test('models have statistics of quality and latency', async () => {
  await using database = await createHistoryDatabase()
  await addEnded(database, [
    someFacts({
      finishedAt: ago(1000),
      steps: [someStep({ quality_sum: 80, quality_count: 1, ai_ms: 300 })],
    }),
    someFacts({
      finishedAt: ago(2000),
      steps: [someStep({ quality_sum: 60, quality_count: 1, ai_ms: 500 })],
    }),
    someFacts({
      finishedAt: ago(2000),
      steps: [someStep({ provider: 'ollama', model: 'small', ai_ms: 90 })],
    }),
  ])
  const history = historyAt(database)
  await history.roll()
  const records = await history.modelRecords()
  expect(records.toSorted((one, other) => one.provider.localeCompare(other.provider))).toEqual([
    { provider: 'ollama', model: 'small', quality: null, averageMs: 90 },
    { provider: 'openai', model: 'gpt-4o-mini', quality: 70, averageMs: 400 },
  ])
})
