import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Overview as Schema } from '../../src/workflows/routes/overview.ts'
import { storeRuns } from '../support/stored-executions.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

type Overview = Static<typeof Schema>

describe('the overview', () => {
  let server: WorkflowsServer

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: createObedientSteps().runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const run = async (as: string, flow_id: string) =>
    (await server.post('/execute-flow', { flow_id }, { as })).body
  const read = async (as: string, query = ''): Promise<Overview> => {
    const answer = await server.call(`/overview${query}`, { as })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  test('of an account without executions is empty', async () => {
    const overview = await read('otto')
    expect(overview).toMatchObject({
      scope: 'own',
      timeframe: '24h',
      bucket_seconds: 900,
      totals: { executions: 0, cost: 0, success_rate: null, p95_duration: null },
      before: { executions: 0 },
      has_run: false,
      recent: [],
      failures: [],
    })
    expect(overview.buckets).toHaveLength(96)
  })

  test('counts runs and failures, with the last failure of each group', async () => {
    const fine = await server.save([prompt('only', 'x')])
    const failing = await server.save([prompt('only', 'fail INVALID_STEP')])
    await run('nora', fine)
    await run('nora', failing)
    await run('nora', failing)
    await run('otto', fine)
    const newest = (await server.call('/executions?order=newest&limit=4', { as: 'mara' })).body.executions
    const lastFailed = newest.find((it: { status: string }) => it.status === 'failed').execution_id

    const own = await read('nora')
    expect(own).toMatchObject({
      scope: 'own',
      has_run: true,
      totals: { executions: 3, completed: 1, failed: 2, cancelled: 0, success_rate: 33.33 },
      failing: [{ flow_id: failing, label: 'A test', executions: 2, failed: 2, success_rate: 0 }],
      slowest: [{ flow_id: fine, failed: 0, success_rate: 100 }],
      failures: [
        {
          flow_id: failing,
          label: 'A test',
          error_code: 'INVALID_STEP',
          executions: 2,
          last_execution_id: lastFailed,
          message: 'It would not.',
        },
      ],
    })
    expect(own.recent.map(({ status }) => status)).toEqual(['failed', 'failed', 'completed'])
    expect(own.buckets.reduce((sum, { executions }) => sum + executions, 0)).toBe(3)

    const all = await read('mara', '?timeframe=7d')
    expect(all).toMatchObject({
      scope: 'all',
      bucket_seconds: 3600,
      has_run: false,
      totals: { executions: 4, completed: 2, failed: 2 },
      failures: [{ executions: 2, last_execution_id: lastFailed }],
    })
    expect(all.recent).toHaveLength(4)
    expect(all.buckets).toHaveLength(168)
  })

  test('shows readers of analytics all numbers, and no executions', async () => {
    const overview = await read('vera', '?timeframe=30d')
    expect(overview).toMatchObject({ scope: 'all', totals: { failed: 2 }, recent: [] })
    expect(overview.failures).toMatchObject([
      { error_code: 'INVALID_STEP', last_execution_id: null, last_at: null, message: null },
    ])
    expect(overview.buckets).toHaveLength(30)
  })

  test('describes executions as their list does, also those that wait', async () => {
    const flowId = await server.save([prompt('only', 'x')])
    const stored = { flowId, accountId: server.idOf('nora'), createdAt: new Date() }
    await storeRuns(server.database, [
      { ...stored, status: 'running', workState: 'suspended' },
      { ...stored, status: 'queued', workState: 'gated' },
      { ...stored, status: 'queued', approval: 'pending' },
    ])
    const { recent, ...counts } = await read('nora')
    const waiting = { running: 0, queued: 0, needs_approval: 1 }
    expect(counts).toMatchObject(waiting)
    expect(await read('mara')).toMatchObject(waiting)
    const listed = (await server.call('/executions?order=newest&limit=10', { as: 'nora' })).body.executions
    expect(recent).toEqual(listed)
    expect(
      recent
        .slice(0, 3)
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['needs_approval', 'waiting', 'waiting'])
    expect(recent[0]?.account_name).toBe('nora')
  })

  test('needs an account with a permission, and a known timeframe', async () => {
    expect((await server.call('/overview', { as: '' })).status).toBe(401)
    const refused = await server.call('/overview?timeframe=1y', { as: 'nora' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(JSON.stringify(refused.body)).toContain('timeframe')
  })
})
