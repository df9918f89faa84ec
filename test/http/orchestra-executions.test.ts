import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { asks, lastAsked, says, startWithModel } from './orchestra-model.ts'

const run = '/execute-workflow'
const seconds = expect.any(Number)

describe('running a workflow', () => {
  let scene: Awaited<ReturnType<typeof startWithModel>>

  beforeAll(async () => {
    scene = await startWithModel()
  })
  afterAll(() => scene?.[Symbol.asyncDispose]())

  test('a waiting caller gets the result and its usage, to the micro-dollar', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([
      asks('draft', 'Draft: {{content}}'),
      asks('polish', 'Polish: {{steps.draft}}', { dependencies: ['draft'] }),
    ])
    openai.script(says('A draft.'), says('A text.'))
    const before = Date.now()
    const { status, body } = await server.post(run, { workflow_id, context: { content: 'Notes' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      execution_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'completed',
      result: {
        workflow_id,
        steps_executed: 2,
        execution_time: seconds,
        cost_estimate: 0.0009,
        unpriced: false,
        results: { draft: 'A draft.', polish: 'A text.' },
        step_details: ['draft', 'polish'].map((step_id) => ({
          step_id,
          agent: null,
          duration: seconds,
          tokens_used: 1500,
          cost: 0.00045,
          unpriced: false,
          success: true,
        })),
      },
      metrics: { total_tokens: 3000, ai_calls: 2, cache_hits: 0, providers_used: ['openai'] },
      callback_info: { webhook_url: null, webhook_secret: null, supported_events: [] },
      warnings: [],
      timestamp: expect.any(Number),
    })
    const [took, parts] = [body.result.execution_time, body.result.step_details]
    expect(took).toBeGreaterThan(0)
    expect(took).toBeLessThanOrEqual((Date.now() - before) / 1000 + 0.1)
    expect(parts[0].duration + parts[1].duration).toBeLessThanOrEqual(took + 0.01)
  })

  test('a cached response is a hit and costs nothing', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([
      asks('ask', `What is remembered by ${randomUUID()}?`, {
        ai_options: { model: 'openai/gpt-4o-mini', temperature: 0 },
      }),
    ])
    openai.script(says('This.'))
    const first = await server.post(run, { workflow_id })
    const second = await server.post(run, { workflow_id })
    expect(first.body.metrics).toMatchObject({ ai_calls: 1, cache_hits: 0 })
    expect(second.body.metrics).toMatchObject({ cache_hits: 1 })
    expect(second.body.result).toMatchObject({ cost_estimate: 0, results: { ask: 'This.' } })
  })

  test('an asynchronous caller gets the status URL, and follows the progress', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([
      asks('one', 'First'),
      asks('two', 'Second', { dependencies: ['one'] }),
      asks('three', 'Third', { dependencies: ['two'] }),
    ])
    const gate = Promise.withResolvers<void>()
    openai.script(says('1'), { ...says('2'), steps: [{ until: gate.promise }, { text: '2' }] }, says('3'))
    const context = { content: 'A text. '.repeat(1000) }
    const { status, body } = await server.post(run, { workflow_id, context, options: { async: true } })
    expect(status).toBe(202)
    expect(body).toEqual({
      success: true,
      execution_id: expect.any(String),
      status: expect.stringMatching(/^(queued|running)$/),
      result: {
        workflow_id,
        steps_executed: 0,
        execution_time: 0,
        cost_estimate: expect.any(Number),
        unpriced: false,
        results: {},
        step_details: [],
      },
      metrics: { total_tokens: 0, ai_calls: 0, cache_hits: 0, providers_used: [] },
      callback_info: { webhook_url: null, webhook_secret: null, supported_events: [] },
      warnings: [],
      timestamp: expect.any(Number),
      status_url: `${server.url}/ai-orchestra/api/workflow-status/${body.execution_id}`,
      queue_position: body.queue_position,
      estimated_start_time: expect.any(Number),
      estimated_completion_time: body.estimated_completion_time,
      approval: null,
    })
    for (const maybe of [body.queue_position, body.estimated_completion_time]) {
      expect(maybe === null || typeof maybe === 'number').toBe(true)
    }
    const read = async () => (await server.call(`/workflow-status/${body.execution_id}`)).body
    await eventually(async () => (await read()).current_step === 'two')
    const now = await read()
    expect(now).toEqual({
      execution_id: body.execution_id,
      workflow_id,
      status: 'running',
      phase: 'ai_processing',
      progress_percentage: 33.33,
      current_step: 'two',
      current_step_progress: now.current_step_progress,
      started_at: expect.any(Number),
      estimated_completion: now.estimated_completion,
      elapsed_time: seconds,
      remaining_time: now.remaining_time,
      steps_completed: ['one'],
      steps_remaining: ['two', 'three'],
      agent_decisions: [],
      intermediate_results: { one: '1' },
      metrics: {
        execution_time: seconds,
        ai_calls: 1,
        tokens_used: 1500,
        cost_estimate: 0.00045,
        unpriced: false,
        cache_hits: 0,
        api_calls: 0,
      },
      resource_usage: {
        peak_memory: expect.any(Number),
        cpu_time: expect.any(Number),
        network_requests: 1,
      },
      suspended: null,
      gated: null,
      warnings: [],
      error: null,
    })
    for (const maybe of [now.current_step_progress, now.estimated_completion, now.remaining_time]) {
      expect(maybe === null || typeof maybe === 'number').toBe(true)
    }
    gate.resolve()
    await eventually(async () => (await read()).status === 'completed')
    const after = await read()
    expect(after).toMatchObject({
      progress_percentage: 100,
      current_step: null,
      current_step_progress: null,
      remaining_time: 0,
      steps_completed: ['one', 'two', 'three'],
      steps_remaining: [],
      intermediate_results: { one: '1', two: '2', three: '3' },
      metrics: { ai_calls: 3, tokens_used: 4500, cost_estimate: 0.00135 },
    })
    expect(after.estimated_completion).toBeGreaterThanOrEqual(after.started_at)
    expect(after.resource_usage.peak_memory).toBeCloseTo(8000 / 1024 / 1024, 3)
  })

  test('calls to other APIs are counted separately from model calls', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([
      { id: 'fetch', type: 'external_api', api: { url: `${openai.url}/v1/models`, method: 'GET' } },
    ])
    const { body } = await server.post(run, { workflow_id })
    const { body: seen } = await server.call(`/workflow-status/${body.execution_id}`)
    expect(seen.metrics).toMatchObject({ api_calls: 1, ai_calls: 0 })
    expect(seen.resource_usage.network_requests).toBe(1)
  })

  test('placeholders can read the whole context, and its priority applies', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([
      asks(
        'ask',
        '{{content}}|{{user_id}}|{{node_id}}|{{metadata.source}}|{{metadata.category}}|{{metadata.priority}}|{{mine.own}}',
      ),
    ])
    openai.script(says('Yes'))
    const { body } = await server.post(run, {
      workflow_id,
      context: {
        content: 'Words',
        user_id: 'u-7',
        node_id: 42,
        metadata: { source: 'cms', priority: 'urgent', category: 'news' },
        mine: { own: 'more' },
      },
    })
    expect(lastAsked(openai)).toContain('Words|u-7|42|cms|news|urgent|more')
    expect((await server.engine.executions.read(body.execution_id))?.priority).toBe('urgent')
  })

  test('repeated requests with one key start it once', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Once?')])
    openai.script(says('Once.'))
    const headers = { 'idempotency-key': `once, ${workflow_id}` }
    const [first, second] = [
      await server.post(run, { workflow_id }, { headers }),
      await server.post(run, { workflow_id }, { headers }),
    ]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expect(
      (await server.engine.executions.list({ flowId: workflow_id, limit: 10, offset: 0, order: 'newest' }))
        .total,
    ).toBe(1)
  })

  test('a workflow that needs approval is queued although its caller would wait', async () => {
    const { server } = scene
    const workflow_id = await server.save([asks('ask', 'May I?')], { metadata: { approval_required: true } })
    const { status, body } = await server.post(run, { workflow_id })
    expect([status, body.status, body.approval]).toEqual([202, 'queued', 'pending'])
    expect(body.estimated_start_time).toBeNull()
    expect(body.warnings).toEqual([expect.objectContaining({ type: 'awaiting_approval' })])
  })

  test('an execution of another account is not found, except by workflow managers', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Whose?')])
    openai.script(says('Mine.'))
    const { body } = await server.post(run, { workflow_id })
    const path = `/workflow-status/${body.execution_id}`
    const seen = await Promise.all(['nora', 'otto', 'mara'].map((as) => server.call(path, { as })))
    expect(seen.map(({ status }) => status)).toEqual([200, 404, 200])
  })
})
