import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { usualLimits } from './request-limits.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

describe('running a flow synchronously', () => {
  let server: WorkflowsServer
  const steps = createObedientSteps()

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: steps.runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => steps.reset())

  test('returns all details of the execution', async () => {
    const flow_id = await server.save([
      { id: 'say', type: 'ai_prompt', prompt: 'Hello', output_to_memory: 'said' },
      {
        id: 'check',
        type: 'conditional',
        dependencies: ['say'],
        conditions: [
          { field: 'said', operator: '==', value: 'Hello', action: { type: 'continue', next_step: 'join' } },
        ],
        default_action: { type: 'jump_to_step', target_step: 'other' },
      },
      {
        id: 'join',
        type: 'data_transform',
        dependencies: ['say'],
        transformations: [{ operation: 'merge', sources: ['said', 'content'], merge_strategy: 'concat' }],
      },
      {
        id: 'other',
        type: 'data_transform',
        transformations: [{ operation: 'merge', sources: ['content'] }],
      },
    ])
    const { status, body } = await server.post('/execute-flow', { flow_id, context: { content: 'A text.' } })
    expect([status, body.error]).toEqual([200, null])
    expect(body).toMatchObject({
      success: true,
      status: 'completed',
      execution_summary: {
        flow_id,
        flow_version: 1,
        steps_executed: 3,
        steps_skipped: 1,
        total_cost: 0,
        success_rate: 100,
        agent_decisions_made: 0,
      },
      result: ['Hello', 'A text.'],
      step_results: {
        say: { step_type: 'ai_prompt', success: true, results: 'Hello', tokens_used: 0, cost: 0 },
        check: {
          step_type: 'conditional',
          conditions_evaluated: [{ condition: 'said == Hello', result: true, action_taken: 'continue' }],
          routing_decision: { action: 'continue', target: 'join' },
        },
        join: {
          step_type: 'data_transform',
          transformations_applied: [{ operation: 'merge', sources: ['said', 'content'], items: 2 }],
        },
      },
      skipped_steps: [{ step: 'other' }],
      shared_memory: { said: 'Hello' },
      quality_metrics: { overall_success_rate: 100, step_success_rate: 100 },
      warnings: [],
      recommendations: [],
    })
    expect(Object.keys(body).sort()).toEqual([
      'agent_decisions',
      'batch',
      'error',
      'execution_id',
      'execution_summary',
      'execution_timeline',
      'forked_from',
      'performance_metrics',
      'quality_metrics',
      'recommendations',
      'rerun_of',
      'resource_utilization',
      'result',
      'shared_memory',
      'skipped_steps',
      'status',
      'step_results',
      'success',
      'timestamp',
      'warnings',
    ])
    expect(body.execution_timeline.map(({ step }: { step: string }) => step)).toEqual([
      'say',
      'check',
      'join',
    ])
    expect(body.resource_utilization.peak_memory_usage).toBeGreaterThanOrEqual(0)
  })

  test('a failed execution returns its error, its outputs and the possible actions', async () => {
    const flow_id = await server.save([
      prompt('first', 'A beginning', { output_to_memory: 'beginning' }),
      prompt('second', 'fail PROVIDER_UNAVAILABLE', {
        dependencies: ['first'],
        retry_config: { max_attempts: 2 },
      }),
    ])
    const { status, body } = await server.post('/execute-flow', {
      flow_id,
      options: { error_handling: { retry_delay: 0.01 } },
    })
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_UNAVAILABLE'])
    expect(body.error).toMatchObject({
      message: 'It would not.',
      details: {
        failed_step: 'second',
        provider: 'cloud',
        timeout_duration: null,
        retry_attempts: 1,
        partial_results: {
          completed_steps: ['first'],
          available_data: { beginning: 'A beginning' },
        },
      },
      documentation_url: `${server.url}/docs#workflows`,
    })
    const { recovery_options: options, request_id, support_reference, timestamp } = body.error
    expect(options.map(({ action }: { action: string }) => action)).toEqual([
      'retry_with_different_provider',
      'continue_without_failed_step',
      'restart_from_checkpoint',
    ])
    expect(Object.keys(options[0]).sort()).toEqual([
      'action',
      'description',
      'estimated_cost',
      'estimated_time',
      'impact',
    ])
    expect(support_reference).toContain(request_id)
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(60)

    const kept = await server.call(`/executions/${body.error.details.execution_id}`)
    expect(kept.body).toMatchObject({
      success: false,
      status: 'failed',
      error: { code: 'PROVIDER_UNAVAILABLE', recovery_options: options },
    })
  })

  test.each([
    ['EXTERNAL_API_FAILED', 502],
    ['STEP_DEPENDENCY_FAILED', 422],
    ['MEMORY_LIMIT_EXCEEDED', 422],
    ['INSUFFICIENT_CREDITS', 429],
    ['AGENT_DECISION_ERROR', 500],
    ['VALIDATION_FAILED', 400],
    ['INVALID_STEP', 422],
  ])('%s of a step is status %i', async (code, expected) => {
    const flow_id = await server.save([prompt('only', `fail ${code}`)])
    const { status, body, headers } = await server.post('/execute-flow', { flow_id })
    expect([status, body.error.code]).toEqual([expected, code])
    // The budget resets with the next UTC day.
    const waits = Number(headers.get('retry-after')) * 1000
    const nextDay = status === 429 ? 86_400_000 - (Date.now() % 86_400_000) : 0
    expect(Math.abs(waits - nextDay)).toBeLessThan(60_000)
  })

  test('a timeout is reported with its limit', async () => {
    const flow_id = await server.save([prompt('slow', 'wait for-ever')])
    const { status, body } = await server.post('/execute-flow', {
      flow_id,
      options: { max_execution_time: 0.2 },
    })
    expect([status, body.error.code]).toEqual([504, 'EXECUTION_TIMEOUT'])
    expect(body.error.details).toMatchObject({ timeout_duration: 0.2 })
  })

  test.each(['169h', '597h', '10081m', '604801s', '168.001h', 604_801])(
    'a timeout of %s is refused by name',
    async (time) => {
      const flow_id = await server.save([prompt('only', 'A beginning')])
      const { status, body } = await server.post('/execute-flow', {
        flow_id,
        options: { max_execution_time: time },
      })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
      expect(body.error.details.problems[0].path).toBe('options.max_execution_time')
      expect(body.error.message).toMatch(/at most 168h|604800/)
    },
  )

  test.each(['168h', '167.5h', '10080m', '604800s', '999999ms', 604_800])(
    'a timeout of %s is accepted',
    async (time) => {
      const flow_id = await server.save([prompt('only', 'A beginning')])
      const { status } = await server.post('/execute-flow', {
        flow_id,
        options: { max_execution_time: time },
      })
      expect(status).toBe(200)
    },
  )

  test('a deadline limits the duration, and a past one is refused', async () => {
    const flow_id = await server.save([prompt('slow', 'wait until-dawn')])
    const runWithin = (seconds: number) =>
      server.post('/execute-flow', {
        flow_id,
        context: { metadata: { deadline: new Date(Date.now() + seconds * 1000).toISOString() } },
      })
    let late = await runWithin(1)
    // The deadline was over before the request arrived.
    for (let seconds = 2; late.status === 400; seconds *= 2) late = await runWithin(seconds)
    expect(late.body.error.code).toBe('EXECUTION_TIMEOUT')
    const over = await server.post('/execute-flow', {
      flow_id,
      context: { metadata: { deadline: '2020-01-01T00:00:00Z' } },
    })
    expect([over.status, over.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(over.body.error.details.problems).toMatchObject([{ path: 'context.metadata.deadline' }])
  })

  test('a waiting caller gets a cancellation', async () => {
    const flow_id = await server.save([prompt('slow', 'wait cancelled')])
    const waiting = server.post('/execute-flow', { flow_id })
    await steps.reached('cancelled')
    const { body: list } = await server.call(`/executions?flow_id=${flow_id}`)
    await server.engine.executions.cancel(list.executions[0].execution_id, { by: null, reason: 'enough' })
    const { status, body } = await waiting
    expect([status, body.error.code]).toEqual([409, 'EXECUTION_CANCELLED'])
    expect(body.error.recovery_options).toEqual([])
  })

  test('an execution continues when its caller disconnects', async () => {
    const flow_id = await server.save([prompt('slow', 'wait left')])
    const leaving = new AbortController()
    const call = fetch(`${server.url}/ai-workflows/api/execute-flow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server.headersOf('nora') },
      body: JSON.stringify({ flow_id }),
      signal: leaving.signal,
    })
    call.catch(() => {})
    await steps.reached('left')
    leaving.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    steps.release('left')
    await expect
      .poll(async () => (await server.call(`/executions?flow_id=${flow_id}`)).body.executions[0].status)
      .toBe('completed')
  })

  test('costs are returned by step, provider and in total', async () => {
    const flow_id = await server.save([prompt('cheap', 'pay 0.002'), prompt('dear', 'pay 0.04')])
    const { body } = await server.post('/execute-flow', { flow_id })
    expect(body.execution_summary.total_cost).toBe(0.042)
    expect(body.step_results.dear).toMatchObject({
      cost: 0.04,
      tokens_used: 42,
      ai_provider: 'cloud',
      model_used: 'cloud/large',
    })
    expect(body.performance_metrics).toMatchObject({
      total_ai_calls: 2,
      total_tokens_used: 84,
      ai_processing_time: 0.08,
      provider_distribution: { cloud: 100 },
    })
  })

  test('a version can be selected, and a missing one is reported', async () => {
    const flow_id = await server.save([prompt('only', 'One')])
    const definition = { id: flow_id, label: 'A test', steps: [prompt('only', 'Two')] }
    await server.engine.flows.change(flow_id, { definition }, { by: { accountId: null, username: null } })
    const run = async (flow_version?: number) =>
      await server.post('/execute-flow', { flow_id, ...(flow_version && { flow_version }) })
    expect((await run()).body.result).toBe('Two')
    const first = await run(1)
    expect([first.body.result, first.body.execution_summary.flow_version]).toEqual(['One', 1])
    expect((await run(9)).status).toBe(404)
  })

  test('an unknown flow gets suggestions', async () => {
    const flow_id = await server.save([prompt('only', 'One')])
    const { status, body } = await server.post('/execute-flow', { flow_id: `${flow_id}x` })
    expect([status, body.error.code]).toEqual([404, 'FLOW_NOT_FOUND'])
    expect(body.error.details.suggestions).toContain(flow_id)
  })

  test('a repeated request with the same key starts nothing new', async () => {
    const flow_id = await server.save([prompt('only', 'Once')])
    const headers = { 'idempotency-key': `once, ${flow_id}` }
    const first = await server.post('/execute-flow', { flow_id }, { headers })
    const second = await server.post('/execute-flow', { flow_id }, { headers })
    expect(second.body).toEqual(first.body)
    const { body } = await server.call(`/executions?flow_id=${flow_id}`)
    expect(body.total).toBe(1)
    const other = await server.post('/execute-flow', { flow_id, context: { content: 'x' } }, { headers })
    expect(other.status).toBe(422)
  })

  test.each<[what: string, body: unknown, path: string]>([
    ['no flow', {}, 'flow_id'],
    ['an unknown field', { flow_id: 'x', option: {} }, 'option'],
    ['an unknown option', { flow_id: 'x', options: { quick: true } }, 'options.quick'],
    ['a mode there is not', { flow_id: 'x', options: { execution_mode: 'soon' } }, 'options.execution_mode'],
    [
      'a priority there is not',
      { flow_id: 'x', context: { processing_options: { priority: 'asap' } } },
      'context.processing_options.priority',
    ],
    [
      'an address that is none',
      { flow_id: 'x', options: { callback_config: { webhook_url: 'ftp://x' } } },
      'options.callback_config.webhook_url',
    ],
  ])('%s is reported by name', async (_what, given, path) => {
    const { status, body } = await server.post('/execute-flow', given)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body.error.details.problems[0].path).toBe(path)
    expect(body.error.recovery_options).toEqual([])
  })

  test('a caller without the run permission is refused', async () => {
    const anonymous = await server.post('/execute-flow', { flow_id: 'x' }, { as: 'anonymous' })
    expect([anonymous.status, anonymous.body.error.code]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
    const vera = await server.post('/execute-flow', { flow_id: 'x' }, { as: 'vera' })
    expect([vera.status, vera.body.error.code]).toEqual([403, 'PERMISSION_DENIED'])
    const flow_id = await server.save([prompt('only', 'x')])
    const guest = await server.post('/execute-flow', { flow_id }, { as: 'guest' })
    expect([guest.status, guest.body.error.code]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
    expect((await server.call('/executions', { as: 'guest' })).status).toBe(401)
  })

  test('malformed, unknown and misdirected requests get the same format', async () => {
    const malformed = await server.post('/execute-flow', '{"flow_id":')
    expect([malformed.status, malformed.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    const unknown = await server.call('/execute-flows')
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const method = await server.call('/execute-flow')
    expect([method.status, method.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    const large = await server.post('/execute-flow', {
      flow_id: 'x',
      context: { content: 'x'.repeat(2 ** 21) },
    })
    expect([large.status, large.body.error.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })
})

describe('limits', () => {
  test('concurrent executions above the limit of the account are refused', async () => {
    const steps = createObedientSteps()
    await using server = await startWorkflowsServer({ runStep: steps.runStep, concurrentWorkflows: 1 })
    const flow_id = await server.save([prompt('slow', 'wait turn')])
    const first = server.post('/execute-flow', { flow_id })
    await steps.reached('turn')
    const second = await server.post('/execute-flow', { flow_id })
    expect([second.status, second.body.error.code]).toEqual([429, 'CONCURRENT_LIMIT_EXCEEDED'])
    expect(second.headers.get('retry-after')).toBe('1')
    const parked = await server.post('/execute-flow-async', { flow_id })
    expect([parked.status, parked.body.queue_position]).toEqual([202, null])
    expect(parked.body.warnings).toMatchObject([{ type: 'awaiting_capacity' }])
    steps.release('turn')
    expect((await first).status).toBe(200)
    await expect
      .poll(async () => (await server.call(`/executions/${parked.body.execution_id}`)).body.status)
      .toBe('completed')
  })

  test('starts count by the hour, reads by the second', async () => {
    await using server = await startWorkflowsServer({ requestsPerHour: 2, ...usualLimits })
    const flow_id = await server.save([prompt('only', 'x')])
    const run = async () => await server.post('/execute-flow', { flow_id })
    expect((await run()).headers.get('x-ratelimit-limit')).toBe('2')
    await run()
    const third = await run()
    expect([third.status, third.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await server.call('/executions')).headers.get('x-ratelimit-limit')).toBe('10')
  })

  test('a server without a worker waits for another one', async () => {
    await using working = await startWorkflowsServer()
    await using answering = await startWorkflowsServer({ role: 'api', database: working.database })
    const flow_id = await working.save([prompt('only', 'From afar')])
    const { status, body } = await answering.post('/execute-flow', { flow_id })
    expect([status, body.result]).toEqual([200, 'From afar'])
  })
})
