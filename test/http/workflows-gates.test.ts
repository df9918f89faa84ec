import { afterAll, beforeAll, expect, test } from 'vitest'
import { runPlainly } from '../database/engine-setting.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

let server: WorkflowsServer

/** Steps of executions with `hold` run until they are released, also when another worker runs them again. */
const held = new Map<string, PromiseWithResolvers<void>>()

beforeAll(async () => {
  server = await startWorkflowsServer({
    async runStep(run) {
      if (run.scope.context['hold'] === true) {
        const hold = held.get(run.executionId) ?? Promise.withResolvers<void>()
        held.set(run.executionId, hold)
        await hold.promise
      }
      return await runPlainly(run)
    },
  })
})

afterAll(() => server.close())

const steps = [{ id: 'work', type: 'ai_prompt', prompt: 'done' }]

function save(control: object): Promise<string> {
  return server.save(steps, { flow: { global_configuration: { flow_control: control } } })
}

const body = (flowId: string, context: object = {}) => ({
  flow_id: flowId,
  context: { content: 'A text.', ...context },
})

async function release(id: string): Promise<void> {
  await eventually(() => held.has(id))
  held.get(id)?.resolve()
}

test('an execution above the limit is gated, visible in status, list and both APIs, and cancellable', async () => {
  const flowId = await save({ concurrency: { limit: 1 } })
  const first = await server.post('/execute-flow-async', body(flowId, { hold: true }))
  const second = await server.post('/execute-flow-async', body(flowId))
  const third = await server.post('/execute-flow-async', body(flowId))
  const [firstId, secondId, thirdId] = [first, second, third].map((it) => String(it.body['execution_id']))
  expect(first).toMatchObject({ status: 202, body: { gated: null } })
  expect(second).toMatchObject({
    status: 202,
    body: {
      status: 'queued',
      gated: { limit: 'concurrency', until: null, ahead: 0, starts: null },
      warnings: [{ type: 'awaiting_flow_limit' }],
    },
  })
  expect((await server.call(`/execution-status/${thirdId}`)).body).toMatchObject({
    current_phase: 'awaiting_flow_limit',
    gated: { limit: 'concurrency', ahead: 1 },
  })
  expect((await server.call(`/executions?gated=true&flow_id=${flowId}`)).body).toMatchObject({
    total: 2,
    executions: [{ execution_id: secondId, gated: true }, { execution_id: thirdId }],
  })
  expect((await server.call(`/executions?gated=false&flow_id=${flowId}`)).body).toMatchObject({ total: 1 })
  const orchestra = await server.call(`/ai-orchestra/api/workflow-status/${secondId}`)
  expect(orchestra.body).toMatchObject({
    phase: 'awaiting_flow_limit',
    suspended: null,
    gated: { limit: 'concurrency' },
  })
  // A count that takes longer than a second is left out.
  await expect
    .poll(async () => (await fetch(`${server.metricsUrl}/metrics`)).text())
    .toContain('tutti_executions_waiting{state="gated"} 2')
  const cancelled = await server.post(`/executions/${secondId}/cancel`, {})
  expect(cancelled.body).toMatchObject({ status: 'cancelled' })
  await release(firstId ?? '')
  await eventually(
    async () => (await server.call(`/executions/${thirdId}`)).body['status'] === 'completed',
    150,
  )
})

test('a caller that waits gets the result when the slot is free soon', async () => {
  const flowId = await save({ concurrency: { limit: 1 } })
  const first = await server.post('/execute-flow-async', body(flowId, { hold: true }))
  const waiting = server.post('/execute-flow', body(flowId))
  await eventually(
    async () => (await server.call(`/executions?gated=true&flow_id=${flowId}`)).body['total'] === 1,
    150,
  )
  await release(String(first.body['execution_id']))
  expect(await waiting).toMatchObject({ status: 200, body: { success: true } })
})

test('a debounced start returns the earlier execution', async () => {
  const flowId = await save({ debounce: { period: '5m', key: 'context.page' } })
  const first = await server.post('/execute-flow', body(flowId, { page: 'a', text: 'old' }))
  expect(first).toMatchObject({ status: 202, body: { gated: { limit: 'debounce', starts: 1 } } })
  expect(first.body).not.toHaveProperty('debounced')
  const id = first.body['execution_id']
  const second = await server.post('/execute-flow-async', body(flowId, { page: 'a', text: 'new' }))
  expect(second).toMatchObject({
    status: 202,
    body: { execution_id: id, debounced: true, gated: { limit: 'debounce', starts: 2 } },
  })
  // The five minutes pass.
  await server.database.query('update engine_executions set hold_until = now() where id = $1', [id])
  await server.database.query('update engine_gates set due_at = now() where flow_id = $1', [flowId])
  await eventually(
    async () => (await server.call(`/executions/${String(id)}`)).body['status'] === 'completed',
    150,
  )
})

test('a start whose key has no value is refused, and names the expression', async () => {
  const flowId = await save({ concurrency: { limit: 1, key: 'context.customer.id' } })
  const refused = await server.post('/execute-flow-async', body(flowId))
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: {
        message: expect.stringContaining('flow_control.concurrency.key'),
        details: { problems: [{ path: 'flow_control.concurrency.key', code: 'expression' }] },
      },
    },
  })
})

test.each([
  [{ concurrency: { limit: 0 } }, 'global_configuration.flow_control.concurrency.limit'],
  [{ concurrency: { limit: 1, key: 'context.' } }, 'global_configuration.flow_control.concurrency.key'],
  [
    { throttle: { limit: 1, period: '1m', key: 'steps.x' } },
    'global_configuration.flow_control.throttle.key',
  ],
  [{ priority: 'context.list.map(x, x)' }, 'global_configuration.flow_control.priority'],
  [{ debounce: { period: '1m', max_wait: '30s' } }, 'global_configuration.flow_control.debounce.max_wait'],
])('limits that cannot work are refused when the flow is saved: %j', async (control, path) => {
  const saved = await server.post(
    '/flows/validate',
    {
      flow_definition: {
        id: 'limited',
        label: 'Limited',
        steps,
        global_configuration: { flow_control: control },
      },
    },
    { as: 'mara' },
  )
  expect(JSON.stringify(saved.body)).toContain(`"path":"${path}"`)
})
