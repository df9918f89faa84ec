import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { asks, says, startWithModel } from './orchestra-model.ts'

const run = '/execute-workflow'

describe('options of an execution, and its failures', () => {
  let scene: Awaited<ReturnType<typeof startWithModel>>

  beforeAll(async () => {
    scene = await startWithModel()
  })
  afterAll(() => scene?.[Symbol.asyncDispose]())

  test('a timeout ends the whole execution', async () => {
    const { server } = scene
    await using closing = new AsyncDisposableStack()
    const silentCalled = vi.fn()
    const silent = createServer(silentCalled).listen(0, '127.0.0.1')
    closing.defer(() => silent.close().closeAllConnections())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const workflow_id = await server.save([
      {
        id: 'one',
        type: 'data_transform',
        transformations: [{ operation: 'merge', sources: ['content'] }],
        output_to_memory: 'merged',
      },
      {
        id: 'two',
        type: 'external_api',
        api: { url: `http://127.0.0.1:${port}/`, method: 'GET' },
        dependencies: ['one'],
      },
    ])
    const runWithin = (timeout: number) =>
      server.post(run, { workflow_id, context: { content: 'A text.' }, options: { timeout } })
    let timeout = 1
    let answer = await runWithin(timeout)
    // The time was over before the second step.
    while (silentCalled.mock.calls.length === 0) {
      timeout *= 2
      answer = await runWithin(timeout)
    }
    const { status, body } = answer
    expect([status, body.error.code]).toEqual([504, 'TIMEOUT_ERROR'])
    expect(body.error.details).toMatchObject({
      workflow_id,
      execution_id: expect.any(String),
      cause: 'EXECUTION_TIMEOUT',
      timeout_duration: timeout,
      partial_results: { completed_steps: ['one'], available_data: { merged: { content: 'A text.' } } },
    })
  })

  test('a failed provider is 502, after the requested retries', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Are you there?')])
    openai.script({ status: 500 })
    const down = await server.post(run, { workflow_id })
    expect([down.status, down.body.error.code]).toEqual([502, 'PROVIDER_UNAVAILABLE'])
    expect(down.body.error.details).toMatchObject({
      provider: 'openai',
      failed_step: 'ask',
      retry_attempts: 0,
    })
    openai.script({ status: 500 }, says('Yes.'))
    const up = await server.post(run, { workflow_id, options: { retry_attempts: 1 } })
    expect([up.status, up.body.result.results]).toEqual([200, { ask: 'Yes.' }])
    expect(up.body.warnings).toEqual([expect.objectContaining({ type: 'step_retried', step: 'ask' })])
  })

  test('an invalid output is a failed execution', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Say much', { validation: { min_length: 1000 } })])
    openai.script(says('Little.'))
    const { status, body } = await server.post(run, { workflow_id })
    expect([status, body.error.code, body.error.details.cause]).toEqual([
      500,
      'EXECUTION_FAILED',
      'VALIDATION_FAILED',
    ])
    const { body: seen } = await server.call(`/workflow-status/${body.error.details.execution_id}`)
    expect(seen).toMatchObject({
      status: 'failed',
      steps_remaining: [],
      error: { code: 'VALIDATION_FAILED' },
    })
  })

  test('intermediate results are shown and stored unless disabled', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([
      asks('one', 'First'),
      asks('two', 'Second', { dependencies: ['one'] }),
    ])
    const gate = Promise.withResolvers<void>()
    openai.script(says('1'), { ...says('2'), steps: [{ until: gate.promise }, { text: '2' }] })
    const monitoring = { track_intermediate_results: false }
    const { body } = await server.post(run, { workflow_id, options: { async: true, monitoring } })
    const read = async () => (await server.call(`/workflow-status/${body.execution_id}`)).body
    await eventually(async () => (await read()).current_step === 'two')
    expect((await read()).intermediate_results).toEqual({})
    gate.resolve()
    // Intermediate results are removed a moment after the end.
    await eventually(async () => Object.keys((await read()).intermediate_results).length === 1)
    expect((await read()).intermediate_results).toEqual({ two: '2' })
  })

  test('detailed logging adds lines to the log', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Tell all')])
    const linesOf = async (enable_detailed_logging: boolean) => {
      openai.script(says('All.'))
      const options = { monitoring: { enable_detailed_logging } }
      const { body } = await server.post(run, { workflow_id, options })
      const record = await server.engine.executions.read(body.execution_id)
      return record?.events.filter(({ data }) => data['level'] === 'debug').length
    }
    expect(await linesOf(false)).toBe(0)
    expect(await linesOf(true)).toBeGreaterThan(0)
  })

  test.each(['measures', 'asks a model'])(
    'detailed logging adds lines about an agent that %s, and about every type of step',
    async (how) => {
      const { openai, server } = scene
      const workflow_id = await server.save([
        how === 'measures'
          ? { id: 'agent', type: 'agent', agent: 'structure_and_link_checker' }
          : { id: 'agent', type: 'agent', agent: 'translator', parameters: { target_language: 'de' } },
        {
          id: 'merge',
          type: 'data_transform',
          transformations: [{ operation: 'merge', sources: ['content'] }],
        },
      ])
      const linesOf = async (enable_detailed_logging: boolean) => {
        if (how === 'asks a model')
          openai.script(says('Das Schiff fährt heute später ab, und niemand ist böse.'))
        const options = { monitoring: { enable_detailed_logging } }
        const { body } = await server.post(run, {
          workflow_id,
          context: { content: 'The ship leaves later today, and all is well.' },
          options,
        })
        const record = await server.engine.executions.read(body.execution_id)
        return record?.events.filter(({ data }) => data['level'] === 'debug').map(({ data }) => data['step'])
      }
      expect(await linesOf(false)).toEqual([])
      expect(new Set(await linesOf(true))).toEqual(new Set(['agent', 'merge']))
    },
  )

  test('a forbidden callback URL is refused by its name', async () => {
    const { server } = scene
    const workflow_id = await server.save([asks('ask', 'Call me')])
    const options = { callback_url: 'http://10.0.0.1/hook' }
    const { status, body } = await server.post(run, { workflow_id, options })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.details.problems).toEqual([expect.objectContaining({ path: 'options.callback_url' })])
  })

  test('a callback has a secret, and gets progress on request', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Call me')])
    const callback_url = `${openai.url}/hook`
    const eventsWith = async (send_progress_updates?: boolean) => {
      openai.script(says('Hello.'))
      const monitoring = send_progress_updates === undefined ? {} : { send_progress_updates }
      const { body } = await server.post(run, { workflow_id, options: { callback_url, monitoring } })
      expect(body.callback_info).toMatchObject({ webhook_url: callback_url })
      expect(body.callback_info.webhook_secret).toMatch(/.{16}/)
      return body.callback_info.supported_events
    }
    const ends = ['workflow.completed', 'workflow.failed']
    expect(await eventsWith()).toEqual(ends)
    expect(await eventsWith(false)).toEqual(ends)
    expect(await eventsWith(true)).toEqual(['workflow.progress', ...ends])
  })

  test('notifications without a channel are reported in the response', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Tell me')])
    openai.script(says('Told.'))
    const { body } = await server.post(run, {
      workflow_id,
      options: { notification_email: 'nora@example.com', monitoring: { send_progress_updates: true } },
    })
    expect(body.warnings).toEqual([
      expect.objectContaining({
        type: 'callbacks_not_delivered',
        message: 'send_progress_updates: there is no callback_url to send it to.',
      }),
      expect.objectContaining({ type: 'mail_not_configured' }),
    ])
    const record = await server.engine.executions.read(body.execution_id)
    expect(record?.input.callbacks).toEqual({ notification_email: 'nora@example.com' })
  })
})
