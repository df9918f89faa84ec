import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer({ runStep: createObedientSteps().runStep })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const run = (as: string, flow_id: string) => server.post('/execute-flow', { flow_id }, { as })
const read = (flow: string, as: string, query = '') => server.call(`/flows/${flow}/stats${query}`, { as })
const sumOf = (buckets: readonly { executions: number }[]) =>
  buckets.reduce((sum, { executions }) => sum + executions, 0)

test('the statistics of a flow cover a period, by time, for an account or for all', async () => {
  const flow = await server.save([prompt('only', 'x')])
  const other = await server.save([prompt('only', 'fail INVALID_STEP')])
  await run('nora', flow)
  await run('nora', flow)
  await run('otto', flow)
  await run('nora', other)

  const { body: own } = await read(flow, 'nora', '?timeframe=24h')
  expect(own).toMatchObject({
    flow_id: flow,
    timeframe: '24h',
    of: 'own',
    bucket_seconds: 900,
    executions: 2,
    completed: 2,
    failed: 0,
    cancelled: 0,
    success_rate: 100,
  })
  expect(own.p95_duration).toBeGreaterThan(0)
  expect(own.buckets).toHaveLength(96)
  expect(sumOf(own.buckets)).toBe(2)

  const { body: all } = await read(flow, 'mara', '?timeframe=7d')
  expect(all).toMatchObject({ of: 'all', bucket_seconds: 3600, executions: 3, completed: 3 })
  expect([all.buckets.length, sumOf(all.buckets)]).toEqual([168, 3])
  expect(all.median_duration).toBeGreaterThan(0)

  const { body: failed } = await read(other, 'vera')
  expect(failed).toMatchObject({
    of: 'all',
    timeframe: '30d',
    executions: 1,
    failed: 1,
    success_rate: 0,
    p95_duration: null,
    average_cost: null,
  })
  expect(failed.buckets).toHaveLength(30)
})

test('a flow that nothing ran has empty statistics', async () => {
  const flow = await server.save([prompt('only', 'x')])
  for (const as of ['nora', 'mara']) {
    const { body } = await read(flow, as)
    expect(body).toMatchObject({ executions: 0, success_rate: null, p95_duration: null, average_cost: null })
  }
})

test('an unknown period or flow is refused', async () => {
  const flow = await server.save([prompt('only', 'x')])
  const refused = await read(flow, 'nora', '?timeframe=1y')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect((await read('no_such_flow', 'nora')).status).toBe(404)
})
