import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

describe('running a flow in the background', () => {
  let server: WorkflowsServer
  const steps = createObedientSteps()

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: steps.runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => steps.reset())

  const untilOver = async (id: string) => {
    await expect
      .poll(async () => (await server.call(`/executions?search=${id}`)).body.executions[0].finished_at, {
        interval: 200,
      })
      .not.toBeNull()
    return (await server.call(`/executions/${id}`)).body
  }

  test('returns the status URL, and the reservation', async () => {
    const flow_id = await server.save([prompt('only', 'Done')])
    const { status, body } = await server.post('/execute-flow-async', {
      flow_id,
      options: {
        priority: 'high',
        max_execution_time: '5m',
        resource_limits: { max_memory: '2MB', max_concurrent_ai_calls: 3 },
        retry_config: { max_attempts: 2, exponential_backoff: false, retry_on_provider_error: false },
      },
    })
    expect(status).toBe(202)
    expect(Object.keys(body).sort()).toEqual([
      'approval',
      'callback_info',
      'estimated_completion_time',
      'estimated_start_time',
      'execution_config',
      'execution_id',
      'flow_id',
      'flow_version',
      'gated',
      'monitoring',
      'queue_position',
      'status',
      'success',
      'suspended',
      'timestamp',
      'warnings',
    ])
    const api = `${server.url}/ai-workflows/api`
    expect(body).toMatchObject({
      success: true,
      flow_id,
      monitoring: {
        status_url: `${api}/execution-status/${body.execution_id}`,
        stream_url: `${api}/execution-stream/${body.execution_id}`,
        webhook_configured: false,
        progress_notifications: false,
      },
      execution_config: {
        priority: 'high',
        resource_allocation: { memory_reserved: 2, cpu_priority: 'high', ai_call_slots: 3 },
      },
      callback_info: { webhook_url: null, webhook_secret: null, supported_events: [] },
      warnings: [],
    })
    expect((await untilOver(body.execution_id)).result).toBe('Done')
  })

  test('works by execution_mode, too', async () => {
    const flow_id = await server.save([prompt('only', 'Later')])
    const options = { execution_mode: 'asynchronous', priority: 'low' }
    const { status, body } = await server.post('/execute-flow', { flow_id, options })
    expect([status, body.execution_config.priority]).toEqual([202, 'low'])
    expect((await untilOver(body.execution_id)).result).toBe('Later')
  })

  test('a batch runs the flow item by item, and a failed one does not end the others', async () => {
    const flow_id = await server.save([
      {
        id: 'sort',
        type: 'conditional',
        conditions: [
          {
            field: 'content',
            operator: '==',
            value: 'bad',
            action: { type: 'continue', next_step: 'refuse' },
          },
        ],
        default_action: { type: 'continue', next_step: 'keep' },
      },
      prompt('refuse', 'fail INVALID_STEP'),
      {
        id: 'keep',
        type: 'data_transform',
        transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
        output_to_memory: 'kept',
      },
    ])
    const { body } = await server.post('/execute-flow-async', {
      flow_id,
      context: {
        content_batch: ['one', 'bad', { content: 'three' }],
        processing_rules: { batch_size: 2, parallel_processing: true },
      },
    })
    const over = await untilOver(body.execution_id)
    expect(over).toMatchObject({
      success: true,
      status: 'completed',
      batch: { items_total: 3, items_succeeded: 2, items_failed: 1 },
      result: ['one', null, 'three'],
      shared_memory: { kept: ['one', null, 'three'] },
      quality_metrics: { overall_success_rate: 66.67 },
      step_results: { refuse: { success: false, items_failed: 1 }, keep: { success: true } },
    })
  })

  test('a batch can be synchronous as well', async () => {
    const flow_id = await server.save([
      {
        id: 'keep',
        type: 'data_transform',
        transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
      },
    ])
    const context = { content_batch: ['one', 'two'], processing_rules: { parallel_processing: false } }
    const { status, body } = await server.post('/execute-flow', { flow_id, context })
    expect([status, body.result]).toEqual([200, ['one', 'two']])
  })

  test('notifications without a channel are reported in the response', async () => {
    const flow_id = await server.save([prompt('only', 'Quietly')])
    const { body } = await server.post('/execute-flow', {
      flow_id,
      options: {
        monitoring: { send_progress_updates: true },
        error_handling: { notification_on_failure: true },
        callback_config: { notification_email: 'a@example.com' },
        notifications: { email_on_completion: true, slack_channel: '#news', progress_interval: '30s' },
      },
    })
    expect(body.warnings).toMatchObject([
      {
        type: 'callbacks_not_delivered',
        message:
          'progress_interval, send_progress_updates, notification_on_failure: there is no webhook_url to send it to.',
      },
      {
        type: 'mail_not_configured',
        message: expect.stringMatching(/^notification_email, email_on_completion:/),
      },
      { type: 'slack_not_configured' },
    ])
  })

  test('a flow that needs approval is queued, also for a synchronous caller', async () => {
    const flow_id = await server.save([prompt('only', 'Agreed')], { metadata: { approval_required: true } })
    const { status, body } = await server.post('/execute-flow', { flow_id })
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'queued', approval: 'pending', queue_position: null })
    expect(body.warnings).toMatchObject([{ type: 'awaiting_approval' }])
    const status2 = await server.call(`/execution-status/${body.execution_id}`)
    expect(status2.body).toMatchObject({ current_phase: 'awaiting_approval', approval: 'pending' })
  })

  test('estimates come from earlier executions', async () => {
    const flow_id = await server.save([prompt('only', 'pay 0.01')])
    await server.post('/execute-flow', { flow_id })
    await server.engine.history.roll({})
    const { body } = await server.post('/execute-flow-async', { flow_id })
    expect(body.execution_config).toMatchObject({ estimated_cost: 0.01, estimated_from: 'flow_history' })
  })

  test('the status of a running execution has its progress', async () => {
    const flow_id = await server.save(
      [
        prompt('first', 'pay 0.01', { output_to_memory: 'paid' }),
        prompt('second', 'wait look', { dependencies: ['first'] }),
        prompt('third', 'Last', { dependencies: ['second'] }),
      ],
      { flow: { global_configuration: { cost_controls: { max_total_cost: 0.05 } } } },
    )
    const { body: accepted } = await server.post('/execute-flow-async', { flow_id })
    await steps.reached('look')
    const path = `/execution-status/${accepted.execution_id}`
    // The start of a step is stored a moment later.
    await expect.poll(async () => (await server.call(path)).body.real_time_logs).toHaveLength(4)
    const { status, body } = await server.call(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      execution_id: accepted.execution_id,
      flow_id,
      status: 'running',
      current_phase: 'ai_processing',
      progress: {
        overall_percentage: 33.33,
        current_step: 'second',
        steps_completed: 1,
        steps_remaining: 2,
        steps_total: 3,
      },
      current_step_details: {
        step_id: 'second',
        step_type: 'ai_prompt',
        status: 'processing',
        progress_indicators: { prompt_processed: true, ai_response_streaming: true, validation: false },
        intermediate_output: 'So far ',
      },
      completed_steps: [{ step_id: 'first', status: 'completed', cost: 0.01, tokens_used: 42 }],
      upcoming_steps: [{ step_id: 'third', step_type: 'ai_prompt', dependencies: ['second'] }],
      shared_memory_state: { paid: '0.01' },
      resource_usage: { active_connections: 1, queue_position: null },
      cost_tracking: { current_cost: 0.01, cost_by_provider: { cloud: 0.01 }, budget_remaining: 0.04 },
      performance_indicators: {
        execution_health: 'healthy',
        step_success_rate: 100,
        provider_response_times: { cloud: 0.04 },
      },
      warnings: [],
    })
    expect(body.real_time_logs.map(({ type }: { type: string }) => type)).toEqual([
      'execution_started',
      'step_started',
      'step_completed',
      'step_started',
    ])
    const same = await server.call(`/executions/${accepted.execution_id}`)
    expect(same.body).toMatchObject({ current_phase: 'ai_processing', execution_id: accepted.execution_id })
    steps.release('look')
    expect((await untilOver(accepted.execution_id)).status).toBe('completed')
  })

  test('each part of a status can be omitted', async () => {
    const flow_id = await server.save([prompt('only', 'Done', { output_to_memory: 'done' })])
    const { body: ran } = await server.post('/execute-flow', { flow_id })
    const fieldsOf = async (query: string) =>
      Object.keys((await server.call(`/execution-status/${ran.execution_id}?${query}`)).body)
    const all = await fieldsOf('')
    const without = async (query: string) => {
      const rest = new Set(await fieldsOf(query))
      return all.filter((field) => !rest.has(field)).sort()
    }
    expect(await without('include_details=false')).toEqual([
      'agent_activity',
      'completed_steps',
      'current_step_details',
      'real_time_logs',
      'upcoming_steps',
    ])
    expect(await without('include_predictions=false')).toEqual(['predictions'])
    expect(await without('include_memory=false')).toEqual(['shared_memory_state'])
    expect((await server.call(`/execution-status/${ran.execution_id}?include_memory=maybe`)).status).toBe(400)
  })

  test('the log is paged, and filtered by level', async () => {
    const flow_id = await server.save([
      prompt('only', 'Hello {{name}}', { retry_config: { max_attempts: 1 } }),
      prompt('bad', 'fail INVALID_STEP', {
        dependencies: ['only'],
        error_handling: { on_failure: 'continue' },
      }),
    ])
    const { body: ran } = await server.post('/execute-flow', { flow_id })
    const path = `/executions/${ran.execution_id}/logs`
    const { body: whole } = await server.call(path)
    expect(whole.logs[0]).toMatchObject({ seq: 1, level: 'info', type: 'execution_started' })
    expect([whole.total, whole.has_more]).toEqual([whole.logs.length, false])
    const { body: first } = await server.call(`${path}?limit=2`)
    expect([first.logs.length, first.has_more, first.last_seq]).toEqual([2, true, 2])
    const { body: rest } = await server.call(`${path}?after=${first.last_seq}`)
    expect([...first.logs, ...rest.logs]).toEqual(whole.logs)
    const { body: grave } = await server.call(`${path}?level=error`)
    expect(grave.logs).toMatchObject([{ step: 'bad', type: 'step_failed' }])
    expect(ran.recommendations).toEqual(['"bad" failed and the flow went on without it: It would not.'])
  })

  test('executions of other accounts are not found', async () => {
    const flow_id = await server.save([prompt('only', 'Mine')])
    const { body: ran } = await server.post('/execute-flow', { flow_id })
    for (const path of [
      `/executions/${ran.execution_id}`,
      `/execution-status/${ran.execution_id}`,
      `/executions/${ran.execution_id}/logs`,
      `/execution-stream/${ran.execution_id}`,
    ]) {
      const other = await server.call(path, { as: 'otto' })
      expect([path, other.status, other.body.error?.code]).toEqual([path, 404, 'EXECUTION_NOT_FOUND'])
      expect((await server.call(path, { as: 'mara' })).status).toBe(200)
    }
    expect((await server.call('/executions/not-an-id')).body.error.code).toBe('EXECUTION_NOT_FOUND')
  })
})

test('the queue position follows from priority and age', async () => {
  await using server = await startWorkflowsServer({ role: 'api' })
  const flow_id = await server.save([prompt('only', 'x')])
  const add = async (priority: string) =>
    (await server.post('/execute-flow-async', { flow_id, options: { priority } })).body
  const first = await add('normal')
  const second = await add('normal')
  const urgent = await add('urgent')
  const low = await add('low')
  expect([first, second, urgent, low].map(({ queue_position }) => queue_position)).toEqual([1, 2, 1, 4])
  const { body } = await server.call(`/execution-status/${second.execution_id}`)
  expect([body.status, body.current_phase, body.resource_usage.queue_position]).toEqual([
    'queued',
    'queued',
    3,
  ])
  expect(body.timing).toMatchObject({ started_at: null, elapsed_time: 0 })
})

test('synchronous callers take no slot from the queue, and beyond their own limit wait in it', async () => {
  const steps = createObedientSteps()
  await using server = await startWorkflowsServer({
    runStep: steps.runStep,
    // One slot of each kind is kept for other accounts.
    environment: { TUTTI_EXECUTION_CONCURRENCY: '2', TUTTI_SYNCHRONOUS_CONCURRENCY: '5' },
  })
  const names = ['one', 'two', 'three', 'four']
  const waiting = await Promise.all(
    names.map(async (name) => {
      const flow_id = await server.save([prompt('only', `wait ${name}`)])
      return { answer: server.post('/execute-flow', { flow_id }) }
    }),
  )
  await Promise.all(names.map((name) => steps.reached(name)))
  const flow_id = await server.save([prompt('only', 'Done')])
  const { body } = await server.post('/execute-flow-async', { flow_id })
  await expect
    .poll(async () => (await server.engine.executions.read(body.execution_id))?.status)
    .toBe('completed')
  const fifth = await server.post('/execute-flow', { flow_id })
  expect([fifth.status, fifth.body.result]).toEqual([200, 'Done'])
  for (const name of names) steps.release(name)
  for (const { answer } of waiting) expect((await answer).status).toBe(200)
})

test('one account with many synchronous callers leaves slots to other accounts', async () => {
  const steps = createObedientSteps()
  await using server = await startWorkflowsServer({
    runStep: steps.runStep,
    environment: { TUTTI_EXECUTION_CONCURRENCY: '4', TUTTI_SYNCHRONOUS_CONCURRENCY: '4' },
  })
  const execute = (flow_id: string, as: string) => server.post('/execute-flow', { flow_id }, { as })
  const [slow, short] = await Promise.all([
    server.save([prompt('only', 'wait for the test')]),
    server.save([prompt('only', 'Done')]),
  ])
  const greedy = Array.from({ length: 12 }, () => execute(slow, 'nora'))
  // Three of each kind of slots are taken.
  await expect.poll(async () => (await server.engine.activity.open()).queued).toBe(6)
  const held = execute(slow, 'otto')
  await expect.poll(async () => (await server.engine.activity.open()).running).toBe(7)
  // The kept local slot is taken, and the kept slot of the queue is free.
  const { status, body } = await execute(short, 'mara')
  expect([status, body.result]).toEqual([200, 'Done'])
  expect((await server.engine.activity.open()).queued).toBe(6)
  steps.release('for the test')
  for (const caller of [...greedy, held]) expect((await caller).status).toBe(200)
})

test('an account that has used up its share of the queue is told so, and others are served', async () => {
  await using server = await startWorkflowsServer({ role: 'api', environment: { TUTTI_QUEUE_LIMIT: '10' } })
  const flow_id = await server.save([prompt('only', 'x')])
  const add = (as: string) => server.post('/execute-flow-async', { flow_id }, { as })
  for (let added = 0; added < 8; added += 1) expect((await add('nora')).status).toBe(202)
  const refused = await add('nora')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(refused.body.error).toMatchObject({
    code: 'SYSTEM_OVERLOADED',
    message: expect.stringContaining('This account has 8 queued executions and may have 8'),
    details: { limit: 10, account_queued: 8, account_limit: 8 },
  })
  expect((await add('otto')).status).toBe(202)
})
