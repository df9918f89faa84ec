import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

describe('the trace of an execution', () => {
  let server: WorkflowsServer
  const steps = createObedientSteps()

  beforeAll(async () => {
    server = await startWorkflowsServer({
      async runStep(run) {
        if (run.step.id !== 'shaky' || run.attempt > 1) return await steps.runStep(run)
        throw new StepFailure({ code: 'PROVIDER_UNAVAILABLE', message: 'It sleeps.', provider: 'cloud' })
      },
    })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => steps.reset())

  async function execute(flow_id: string, context: object = { content: 'A text.' }): Promise<string> {
    const { body } = await server.post('/execute-flow', { flow_id, context })
    return body.execution_id ?? body.error.details.execution_id
  }

  test('has edges, the branch that was taken and the one that was not', async () => {
    const flow = await server.save([
      prompt('say', 'Hello', { output_to_memory: 'said' }),
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
    const id = await execute(flow)
    const { status, body } = await server.call(`/executions/${id}/trace`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ execution_id: id, flow_id: flow, status: 'completed', item: 0, items: 0 })
    expect(body.edges).toEqual([
      { from: 'say', to: 'check', kind: 'needs', label: null, taken: null },
      { from: 'check', to: 'join', kind: 'chooses', label: 'said == Hello', taken: true },
      { from: 'check', to: 'other', kind: 'chooses', label: 'otherwise', taken: false },
      { from: 'say', to: 'join', kind: 'needs', label: null, taken: null },
    ])
    const states = body.steps.map((step: { step_id: string; state: string }) => [step.step_id, step.state])
    expect(states).toEqual([
      ['say', 'completed'],
      ['check', 'completed'],
      ['join', 'completed'],
      ['other', 'skipped'],
    ])
    expect(body.steps[3].skipped_because).toMatch(/check/)
    expect(body.memory).toMatchObject([{ key: 'said', step_id: 'say', bytes: 7 }])
    const [say, check] = body.steps
    expect(check.ready_at).toBe(say.finished_at)
    expect(check.started_at).toBeGreaterThanOrEqual(check.ready_at)
    expect(say.ready_at).toBeLessThanOrEqual(say.started_at)
  })

  test('has the filled-in input of a step, and its readable values', async () => {
    const flow = await server.save([
      prompt('say', 'Hello', { output_to_memory: 'said' }),
      prompt('greet', 'Say {{said}} to {{metadata.source}}.', {
        dependencies: ['say'],
        ai_options: { system_prompt: 'Be kind to {{content}}' },
      }),
    ])
    const id = await execute(flow, { content: 'them', metadata: { source: 'Ann' } })
    const { body } = await server.call(`/executions/${id}/steps/greet`)
    expect(body).toMatchObject({
      step_id: 'greet',
      state: 'completed',
      asked: { prompt: 'Say Hello to Ann.', system: 'Be kind to them' },
      memory_before: { said: 'Hello' },
      definition: { id: 'greet', prompt: 'Say {{said}} to {{metadata.source}}.' },
    })
    const first = await server.call(`/executions/${id}/steps/say`)
    expect(first.body).toMatchObject({ memory_before: {}, output: 'Hello' })
  })

  test('has each attempt of a step, and the pause between them', async () => {
    const flow_id = await server.save([prompt('shaky', 'Done', { retry_config: { max_attempts: 2 } })])
    const { body: done } = await server.post('/execute-flow', {
      flow_id,
      context: {},
      options: { error_handling: { retry_delay: 0.05 } },
    })
    const { body } = await server.call(`/executions/${done.execution_id}/trace`)
    const [first, second] = body.steps[0].attempts
    expect(first).toMatchObject({ number: 1, error: { code: 'PROVIDER_UNAVAILABLE', provider: 'cloud' } })
    expect(second).toMatchObject({ number: 2, error: null, finished_at: body.steps[0].finished_at })
    expect(second.started_at).toBeGreaterThan(first.finished_at)
  })

  test('of a running one has running and waiting steps', async () => {
    const flow = await server.save([
      prompt('slow', 'wait trace'),
      prompt('after', 'Later', { dependencies: ['slow'] }),
    ])
    const { body: accepted } = await server.post('/execute-flow-async', { flow_id: flow, context: {} })
    await steps.reached('trace')
    await expect
      .poll(async () => (await server.call(`/executions/${accepted.execution_id}/trace`)).body.steps)
      .toMatchObject([
        {
          step_id: 'slow',
          state: 'running',
          finished_at: null,
          attempts: [{ number: 1, finished_at: null }],
        },
        { step_id: 'after', state: 'waiting', ready_at: null, started_at: null, attempts: [] },
      ])
    const slow = await server.call(`/executions/${accepted.execution_id}/steps/slow`)
    expect(slow.body).toMatchObject({ state: 'running', text_so_far: 'So far ' })
    const { body } = await server.call(`/executions/${accepted.execution_id}/steps/after`)
    expect(body).toMatchObject({ asked: null, output: null, memory_before: null })
    steps.release('trace')
  })

  test('tells steps that were stopped from steps that never ran', async () => {
    const flow = await server.save([
      prompt('slow', 'wait never'),
      prompt('after', 'Later', { dependencies: ['slow'] }),
    ])
    const { body: accepted } = await server.post('/execute-flow-async', { flow_id: flow, context: {} })
    const path = `/executions/${accepted.execution_id}`
    await steps.reached('never')
    // The start of the step is stored with the next commit.
    await expect
      .poll(async () => (await server.call(`${path}/trace`)).body.steps[0])
      .toMatchObject({ state: 'running' })
    await server.post(`${path}/cancel`, {})
    const { body } = await server.call(`${path}/trace`)
    expect(body).toMatchObject({
      status: 'cancelled',
      idle: [],
      waits: [],
      trigger: 'request',
      approval: null,
      steps: [
        {
          step_id: 'slow',
          state: 'stopped',
          finished_at: body.finished_at,
          attempts: [{ number: 1, finished_at: body.finished_at, error: null }],
        },
        { step_id: 'after', state: 'not_run', started_at: null, finished_at: null, attempts: [] },
      ],
    })
    expect(body.steps[0].started_at).toBeGreaterThanOrEqual(body.started_at)
    expect(body.finished_at - body.started_at).toBeCloseTo(body.execution_time, 3)
  })

  test('of a recovered one adds up: its idle time and its duration fill the time between start and end', async () => {
    const flow = await server.save([
      prompt('first', 'Hello'),
      prompt('second', 'fail EXTERNAL_API_FAILED', { dependencies: ['first'] }),
      prompt('third', 'Later', { dependencies: ['second'] }),
    ])
    const id = await execute(flow)
    const path = `/executions/${id}`
    const failed = (await server.call(`${path}/trace`)).body
    expect(failed.steps).toMatchObject([{ state: 'completed' }, { state: 'failed' }, { state: 'not_run' }])
    await server.post(`${path}/recover`, { action: 'continue_without_failed_step' })
    await expect.poll(async () => (await server.call(`${path}/trace`)).body.status).toBe('completed')
    const { body } = await server.call(`${path}/trace`)
    const [idle] = body.idle
    expect(idle).toMatchObject({ reason: 'recovery', from: failed.finished_at })
    expect(idle.to).toBeGreaterThan(idle.from)
    expect(body.steps[1].attempts).toMatchObject([
      { run: 1, number: 1, error: { code: 'EXTERNAL_API_FAILED' } },
    ])
    const between = body.finished_at - body.started_at
    expect(between - (idle.to - idle.from)).toBeCloseTo(body.execution_time, 2)
    for (const step of body.steps.filter(
      ({ started_at: at }: { started_at: number | null }) => at !== null,
    )) {
      expect(step.started_at).toBeGreaterThanOrEqual(body.started_at)
      expect(step.finished_at).toBeLessThanOrEqual(body.finished_at)
    }
  })

  test('of a recovered one keeps the attempts before the recovery', async () => {
    const flow = await server.save([
      prompt('first', 'Hello'),
      prompt('second', 'fail EXTERNAL_API_FAILED', { dependencies: ['first'] }),
    ])
    const path = `/executions/${await execute(flow)}`
    const before = (await server.call(`${path}/trace`)).body.steps[1].attempts[0]
    await server.post(`${path}/recover`, { action: 'restart_from_checkpoint' })
    await expect
      .poll(async () => (await server.call(`${path}/trace`)).body.steps[1].attempts)
      .toMatchObject([
        { run: 1, number: 1, started_at: before.started_at, finished_at: before.finished_at },
        { run: 2, number: 1, error: { code: 'EXTERNAL_API_FAILED' } },
      ])
  })

  test('of a batch has one item at a time', async () => {
    const flow = await server.save([
      { id: 'keep', type: 'data_transform', transformations: [{ operation: 'merge', sources: ['content'] }] },
    ])
    const { body: accepted } = await server.post('/execute-flow-async', {
      flow_id: flow,
      context: { content_batch: ['one', 'two'] },
    })
    const path = `/executions/${accepted.execution_id}`
    await expect
      .poll(async () => (await server.call(`/execution-status/${accepted.execution_id}`)).body.status)
      .toBe('completed')
    const second = await server.call(`${path}/steps/keep?item=1`)
    expect(second.body).toMatchObject({ item: 1, asked: { sources: { content: 'two' } } })
    const trace = await server.call(`${path}/trace?item=1`)
    expect(trace.body).toMatchObject({ item: 1, items: 2 })
    const beyond = await server.call(`${path}/trace?item=2`)
    expect([beyond.status, beyond.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('has no inputs where outputs are not stored', async () => {
    const flow = await server.save([
      prompt('say', 'Hello', { output_to_memory: 'said' }),
      prompt('greet', 'Say {{said}}', { dependencies: ['say'] }),
    ])
    const { body: done } = await server.post('/execute-flow', {
      flow_id: flow,
      context: {},
      options: { monitoring: { track_intermediate_results: false } },
    })
    const { body } = await server.call(`/executions/${done.execution_id}/steps/greet`)
    expect(body).toMatchObject({ asked: null, memory_before: null, output: 'Say {{said}}' })
  })

  test('has the input of the execution', async () => {
    const flow_id = await server.save([prompt('say', 'Hello')])
    const { body: done } = await server.post('/execute-flow', {
      flow_id,
      context: { content: 'A text.' },
      options: { max_execution_time: '5m' },
    })
    const { body } = await server.call(`/executions/${done.execution_id}/input`)
    expect(body).toEqual({
      execution_id: done.execution_id,
      context: { content: 'A text.' },
      options: { max_execution_time: '5m' },
      memory: {},
      content_batch: null,
    })
  })

  test('requires access to the execution, and lists the steps', async () => {
    const id = await execute(await server.save([prompt('say', 'Hello')]))
    expect((await server.call(`/executions/${id}/trace`, { as: 'otto' })).status).toBe(404)
    expect((await server.call(`/executions/${id}/trace`, { as: 'mara' })).status).toBe(200)
    const unknown = await server.call(`/executions/${id}/steps/sing`)
    expect([unknown.status, unknown.body.error.details.steps]).toEqual([404, ['say']])
  })
})
