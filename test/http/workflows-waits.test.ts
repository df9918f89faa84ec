import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWait } from '../../src/engine/steps/wait.ts'
import { runWaitForEvent } from '../../src/engine/steps/wait-for-event.ts'
import { runPlainly } from '../database/engine-setting.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

let server: WorkflowsServer

beforeAll(async () => {
  server = await startWorkflowsServer({
    async runStep(run) {
      const { step } = run
      if (step.type === 'wait') return await runWait({ ...run, step })
      if (step.type === 'wait_for_event') return await runWaitForEvent({ ...run, step })
      return await runPlainly(run)
    },
  })
})

afterAll(() => server.close())

const steps = [
  { id: 'rest', type: 'wait', duration: '3d' },
  { id: 'after', type: 'ai_prompt', prompt: 'done', dependencies: ['rest'] },
]

const body = (flowId: string) => ({ flow_id: flowId, context: { content: 'A text.' } })

test('a caller that waits gets 202 once the execution only waits, and the result when it asks later', async () => {
  const flowId = await server.save(steps)
  const started = await server.post('/execute-flow', body(flowId))
  expect(started).toMatchObject({
    status: 202,
    body: {
      status: 'running',
      queue_position: null,
      suspended: {
        since: expect.any(Number),
        waits: [{ step_id: 'rest', kind: 'timer', until: expect.any(Number) }],
      },
    },
  })
  const id = String(started.body['execution_id'])
  const until = (started.body as { suspended: { waits: { until: number }[] } }).suspended.waits[0]?.until ?? 0
  expect(Math.abs(until - Date.now() / 1000 - 3 * 86_400)).toBeLessThan(60)

  expect((await server.call(`/execution-status/${id}`)).body).toMatchObject({
    status: 'running',
    current_phase: 'waiting',
    suspended: { waits: [{ step_id: 'rest' }] },
  })
  expect((await server.call(`/ai-orchestra/api/workflow-status/${id}`)).body).toMatchObject({
    status: 'running',
    phase: 'waiting',
    suspended: { waits: [{ step_id: 'rest', kind: 'timer' }] },
    gated: null,
  })
  expect((await server.call(`/executions?suspended=true&flow_id=${flowId}`)).body).toMatchObject({
    total: 1,
    executions: [{ execution_id: id, suspended: true, status: 'running' }],
  })
  expect((await server.call(`/executions?suspended=false&flow_id=${flowId}`)).body).toMatchObject({
    total: 0,
  })
  const waiting = (await server.call(`/executions/${id}/trace`)).body
  expect(waiting).toMatchObject({
    idle: [{ reason: 'suspended', to: waiting['as_of'] }],
    waits: [{ step_id: 'rest', kind: 'timer', until }],
    steps: [
      { step_id: 'rest', state: 'suspended', finished_at: null },
      { step_id: 'after', state: 'waiting' },
    ],
  })

  await server.database.query('update engine_waits set wake_at = now() where execution_id = $1', [id])
  await eventually(async () => (await server.call(`/executions/${id}`)).body['status'] === 'completed', 200)
  expect((await server.call(`/executions/${id}`)).body).toMatchObject({ result: 'done' })

  const { body: over } = await server.call(`/executions/${id}/trace`)
  const { idle, ...times } = over as Record<string, number> & { idle: { from: number; to: number }[] }
  expect(idle).toHaveLength(1)
  const waited = idle.reduce((sum, { from, to }) => sum + to - from, 0)
  const { started_at: from = 0, finished_at: to = 0, execution_time: active = 0 } = times
  expect(to - from - waited).toBeCloseTo(active, 1)
  expect(over['waits']).toEqual([])
})

test('an execution that only waits can be cancelled', async () => {
  const flowId = await server.save(steps)
  const { body: started } = await server.post('/execute-flow', body(flowId))
  const id = String(started['execution_id'])
  expect(await server.post(`/executions/${id}/cancel`, {})).toMatchObject({ status: 200 })
  expect((await server.call(`/execution-status/${id}`)).body).toMatchObject({
    status: 'cancelled',
    suspended: null,
  })
})

test.each([
  [{}, 'duration', 'is required, or until'],
  [{ duration: '1h', until: '2030-01-01T00:00:00Z' }, 'until', 'must not be used together with duration'],
  [{ duration: '401d' }, 'duration', 'at most 400d'],
  [{ duration: 'soon' }, 'duration', 'must be a number and ms, s, m, h or d'],
  [{ until: '2030-01-01' }, 'until', 'must be a time with an offset'],
])('a step with %j is refused', async (fields, field, message) => {
  const definition = { id: 'refused', label: 'Refused', steps: [{ id: 'rest', type: 'wait', ...fields }] }
  const answer = await server.post('/flows/validate', { flow_definition: definition }, { as: 'mara' })
  expect(JSON.stringify(answer.body)).toContain(`steps[0].${field}`)
  expect(JSON.stringify(answer.body)).toContain(message)
})

test('an event continues the executions of its sender, once for each key of the request', async () => {
  const flowId = await server.save([
    { id: 'paid', type: 'wait_for_event', event: 'order.paid', correlation_key: '{{content}}' },
  ])
  const started = await server.post('/execute-flow', { flow_id: flowId, context: { content: 'order-7' } })
  expect(started).toMatchObject({
    status: 202,
    body: {
      suspended: {
        waits: [{ step_id: 'paid', kind: 'event', event: 'order.paid', correlation_key: 'order-7' }],
      },
    },
  })
  const sent = { name: 'order.paid', correlation_key: 'order-7', data: { amount: 12 } }
  expect(await server.post('/events', sent, { as: 'otto' })).toMatchObject({
    status: 202,
    body: { matched: 0 },
  })
  const headers = { 'idempotency-key': 'payment-7' }
  const first = await server.post('/events', sent, { headers })
  expect(first).toMatchObject({ status: 202, body: { success: true, matched: 1 } })
  expect((await server.post('/events', sent, { headers })).body).toEqual(first.body)
  const id = String(started.body['execution_id'])
  await eventually(async () => (await server.call(`/executions/${id}`)).body['status'] === 'completed', 200)
  expect((await server.call(`/executions/${id}`)).body).toMatchObject({
    result: { received: true, name: 'order.paid', key: 'order-7', data: { amount: 12 } },
  })
})

test.each([
  [{ name: 'a b' }, 'name'],
  [{ correlation_key: '' }, 'correlation_key'],
  [{ correlation_key: 'x'.repeat(201) }, 'correlation_key'],
  [{ ttl: -1 }, 'ttl'],
  [{ data: 'x'.repeat(300_000) }, 'data'],
])('an event with %.60j is refused', async (fields, field) => {
  const answer = await server.post('/events', { name: 'order.paid', correlation_key: 'order-7', ...fields })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain(field)
})

test('an event needs the permission to run workflows', async () => {
  const answer = await server.post('/events', { name: 'paid', correlation_key: '7' }, { as: 'vera' })
  expect(answer.status).toBe(403)
})
