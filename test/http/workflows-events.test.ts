import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../database/webhooks-receiver.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

const namesOf = ({ events }: Receiver) => events.map(({ body }) => body.event)
const untilHeard = (receiver: Receiver, name: string) => eventually(() => namesOf(receiver).includes(name))

describe('events of executions', () => {
  let server: WorkflowsServer
  const steps = createObedientSteps()

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: steps.runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => steps.reset())

  const twoSteps = [prompt('first', 'One'), prompt('second', 'Two', { dependencies: ['first'] })]

  const subscribe = async (receiver: Receiver, as: string, config: object) => {
    const owner = { accountId: server.idOf(as), api: 'workflows' } as const
    const { webhook } = await server.webhooks.subscriptions.create(owner, {
      config: {
        name: null,
        url: receiver.url,
        events: ['flow.execution.started', 'flow.step.completed', 'flow.execution.completed'],
        filters: {},
        retryPolicy: {},
        format: {
          content_type: 'application/json',
          include_full_context: false,
          include_intermediate_results: false,
          compression: 'none',
        },
        ...config,
      },
    })
    await eventually(
      async () => (await server.webhooks.subscriptions.read(owner, webhook.id)).status === 'active',
    )
  }

  test('the callback of an execution gets start, progress and end in order, signed with its secret', async () => {
    await using receiver = await startReceiver()
    const flow_id = await server.save(twoSteps)
    const { status, body } = await server.post('/execute-flow-async', {
      flow_id,
      context: { content: 'Twelve chars', metadata: { content_type: 'article' } },
      options: { notifications: { webhook_url: receiver.url } },
    })
    expect([status, body.warnings]).toEqual([202, []])
    expect(body.monitoring).toMatchObject({ webhook_configured: true, progress_notifications: true })
    expect(body.callback_info).toEqual({
      webhook_url: receiver.url,
      webhook_secret: expect.stringMatching(/^whsec_/),
      supported_events: [
        'execution.started',
        'execution.progress',
        'execution.completed',
        'execution.failed',
      ],
    })
    await untilHeard(receiver, 'execution.completed')
    expect(namesOf(receiver)).toEqual([
      'execution.started',
      'execution.progress',
      'execution.progress',
      'execution.completed',
    ])
    const [started, progress, , completed] = receiver.events.map((it) => it.body.data)
    expect(started).toMatchObject({
      execution_id: body.execution_id,
      flow_id,
      initiated_by: server.idOf('nora'),
      priority: 'normal',
      context_summary: { content_type: 'article', content_length: 12, target_quality: null },
    })
    expect(progress).toMatchObject({
      step_id: 'first',
      progress: { overall_percentage: 50, steps_completed: 1, steps_total: 2 },
    })
    expect(completed).toMatchObject({
      status: 'completed',
      execution_summary: { steps_executed: 2, success_rate: 100, total_cost: 0, agent_decisions: 0 },
      result: 'Two',
    })
    for (const { headers, raw } of receiver.events) {
      const digest = createHmac('sha256', body.callback_info.webhook_secret).update(raw).digest('hex')
      expect(headers['x-webhook-signature']).toBe(`sha256=${digest}`)
    }
  })

  test('a waiting caller gets the secret with the result, and with a failure', async () => {
    await using receiver = await startReceiver()
    const callback_config = { webhook_url: receiver.url, progress_callbacks: false }
    const flow_id = await server.save(twoSteps)
    const well = await server.post('/execute-flow', { flow_id, options: { callback_config } })
    expect(well.body.callback_info).toMatchObject({
      webhook_secret: expect.stringMatching(/^whsec_/),
      supported_events: ['execution.started', 'execution.completed', 'execution.failed'],
    })
    await untilHeard(receiver, 'execution.completed')
    expect(namesOf(receiver)).toEqual(['execution.started', 'execution.completed'])
    const broken = await server.save([prompt('only', 'fail PROVIDER_UNAVAILABLE')])
    const ill = await server.post('/execute-flow', { flow_id: broken, options: { callback_config } })
    expect([ill.status, ill.body.error.details.callback_info.webhook_url]).toEqual([502, receiver.url])
    await untilHeard(receiver, 'execution.failed')
    expect(receiver.events.at(-1)?.body.data).toMatchObject({
      status: 'failed',
      error: { code: 'PROVIDER_UNAVAILABLE', failed_step: 'only', provider: 'cloud' },
      completed_steps: [],
      recovery_options: expect.arrayContaining([
        expect.objectContaining({ action: 'restart_from_checkpoint' }),
      ]),
    })
  })

  test('with an interval progress is sent periodically, while a step is slow', async () => {
    await using receiver = await startReceiver()
    const flow_id = await server.save([prompt('long', 'wait clock'), ...twoSteps])
    await server.post('/execute-flow-async', {
      flow_id,
      options: { notifications: { webhook_url: receiver.url, progress_interval: 1 } },
    })
    await eventually(() => namesOf(receiver).filter((name) => name === 'execution.progress').length >= 2)
    steps.release('clock')
    await untilHeard(receiver, 'execution.completed')
    expect(namesOf(receiver).at(0)).toBe('execution.started')
    expect(namesOf(receiver).at(-1)).toBe('execution.completed')
    expect(receiver.events[1]?.body.data).toMatchObject({ status: 'running', step_id: null })
  })

  test('a cancelled one is sent as failed, and says so', async () => {
    await using receiver = await startReceiver()
    const flow_id = await server.save([prompt('long', 'wait never')])
    const { body } = await server.post('/execute-flow-async', {
      flow_id,
      options: { callback_config: { webhook_url: receiver.url } },
    })
    await steps.reached('never')
    await server.post(`/executions/${body.execution_id}/cancel`, { reason: 'no longer needed' })
    await untilHeard(receiver, 'execution.failed')
    expect(receiver.events.at(-1)?.body.data).toMatchObject({
      status: 'cancelled',
      error: { code: 'EXECUTION_CANCELLED' },
      reason: 'no longer needed',
      recovery_options: [],
    })
  })

  test('a repeated request gets the same secret, and one lost before its response none', async () => {
    await using receiver = await startReceiver()
    const flow_id = await server.save(twoSteps)
    const start = () =>
      server.post(
        '/execute-flow-async',
        { flow_id, options: { callback_config: { webhook_url: receiver.url } } },
        { headers: { 'idempotency-key': `once-${flow_id}` } },
      )
    const [first, again] = [await start(), await start()]
    expect(again.body.callback_info).toEqual(first.body.callback_info)
    // As if the first response had never been stored.
    await server.database.query('update kernel_idempotency set status = null, headers = null, body = null')
    const late = await start()
    expect(late.body.execution_id).toBe(first.body.execution_id)
    expect(late.body.callback_info).toEqual({ ...first.body.callback_info, webhook_secret: null })
    await untilHeard(receiver, 'execution.completed')
    expect(namesOf(receiver)).toHaveLength(4)
  })

  test('a forbidden URL is refused by its name, and nothing is started', async () => {
    const flow_id = await server.save(twoSteps)
    const start = (options: object) => server.post('/execute-flow-async', { flow_id, options })
    const inside = await start({ notifications: { webhook_url: 'http://10.0.0.1/hook' } })
    expect([inside.status, inside.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(inside.body.error.details.problems).toMatchObject([{ path: 'options.notifications.webhook_url' }])
    const two = await start({
      callback_config: { webhook_url: 'https://one.example/' },
      notifications: { webhook_url: 'https://other.example/' },
    })
    expect(two.body.error.details.problems).toMatchObject([{ path: 'options.notifications.webhook_url' }])
    for (const progress_interval of ['often', '25h', '1441m', '86401s']) {
      const odd = await start({ notifications: { progress_interval } })
      expect([odd.status, odd.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
      expect(odd.body.error.message).toContain('at most 24h')
    }
    const { body } = await server.call(`/executions?flow_id=${flow_id}`)
    expect(body.executions.filter((it: { flow_id: string }) => it.flow_id === flow_id)).toEqual([])
  })

  test('a subscription gets only the selected flows, with context and results', async () => {
    await using receiver = await startReceiver()
    const [wanted, other] = [await server.save(twoSteps), await server.save(twoSteps)]
    await subscribe(receiver, 'otto', {
      filters: { flow_ids: [wanted], priority: ['high'] },
      format: {
        content_type: 'application/json',
        include_full_context: true,
        include_intermediate_results: true,
        compression: 'none',
      },
    })
    const run = (flow_id: string, as: string, priority: string) =>
      server.post('/execute-flow', { flow_id, context: { content: 'It' }, options: { priority } }, { as })
    await run(wanted, 'nora', 'high')
    await run(other, 'otto', 'high')
    await run(wanted, 'otto', 'low')
    const { body } = await run(wanted, 'otto', 'high')
    await untilHeard(receiver, 'flow.execution.completed')
    expect(namesOf(receiver)).toEqual([
      'flow.execution.started',
      'flow.step.completed',
      'flow.step.completed',
      'flow.execution.completed',
    ])
    const heard = receiver.events.map((it) => it.body.data)
    expect(new Set(heard.map((it) => it.execution_id))).toEqual(new Set([body.execution_id]))
    expect(heard[0].full_context).toEqual({ content: 'It' })
    expect(heard[1]).toMatchObject({
      step_id: 'first',
      success: true,
      intermediate_results: { first: 'One' },
    })
    expect(heard[3]).toMatchObject({
      status: 'completed',
      results: { final_quality_score: null, seo_score: null },
      performance_metrics: { cache_hit_rate: null, provider_distribution: {} },
      intermediate_results: { first: 'One', second: 'Two' },
    })
  })

  test('cost thresholds are published', async () => {
    await using receiver = await startReceiver()
    await subscribe(receiver, 'mara', { events: ['cost.threshold.exceeded'], filters: { min_cost: 0.2 } })
    const flow_id = await server.save([prompt('dear', 'pay 0.3')], {
      flow: { global_configuration: { cost_controls: { cost_alerts: [0.25] } } },
    })
    await server.post('/execute-flow', { flow_id }, { as: 'mara' })
    await untilHeard(receiver, 'cost.threshold.exceeded')
    expect(receiver.events[0]?.body.data).toMatchObject({
      alert_type: 'cost_alert',
      threshold: 0.25,
      current_cost: 0.3,
    })
  })
})
