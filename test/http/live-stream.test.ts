import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { answer, type Run } from '../database/engine-setting.ts'
import { eventually } from '../support/eventually.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'
import { type OpenStream, openStream } from './streams-client.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

const isUpdate = ({ event }: { event: string }) => event === 'status_update'
const agentStep = (id: string, agent: string) => ({ id, type: 'agent', agent })

describe('the live stream', () => {
  let server: OrchestraServer
  const steps = createObedientSteps()

  /** Agents respond at once; a prompt `stumble` finds its provider unavailable the first time. */
  async function runStep(asked: Run) {
    const { step } = asked
    if (step.type === 'agent') return answer('An opinion.')
    if (step.type === 'ai_prompt' && step.prompt === 'stumble' && asked.attempt === 1) {
      throw new StepFailure({ code: 'PROVIDER_UNAVAILABLE', message: 'It is away.', provider: 'cloud' })
    }
    return await steps.runStep(asked)
  }

  beforeAll(async () => {
    server = await startOrchestraServer({ runStep: () => runStep, liveStatusEveryMs: 1000 })
    await server.events.append({ type: 'test.began' })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    steps.reset()
    // The daily budget does not pay for a second one.
    await server.database.query('delete from model_spend_scopes')
  })

  const open = (as: string, lastEventId?: string): Promise<OpenStream> =>
    openStream(`${server.url}/ai-orchestra/api/live-stream`, {
      ...server.headersOf(as),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    })

  async function run(as: string, words: string, more: object = {}) {
    const flow = await server.save([prompt('only', words, more)])
    const { body } = await server.post('/execute-workflow', { workflow_id: flow }, { as })
    return { flow, id: body.execution_id ?? body.error?.details?.execution_id }
  }

  test('starts with the load of the platform, and repeats it', async () => {
    await using stream = await open('nora')
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const first = await stream.until(({ event }) => event === 'status_update')
    expect(first.data).toEqual({
      active_workflows: expect.any(Number),
      queue_size: expect.any(Number),
      system_load: expect.any(Number),
      timestamp: expect.any(Number),
    })
    expect(first.id).toMatch(/^\d+\.\d+$/)
    expect(stream.beside).toContain('retry: 2000')
    await eventually(() => stream.heard.filter(isUpdate).length >= 3)
    const [, , third] = stream.heard.filter(isUpdate)
    // Every second here; the duration of a sample depends on the machine.
    expect(third?.data.timestamp - first.data.timestamp).toBeGreaterThanOrEqual(1)
  })

  test('sends an execution from its start to its end', async () => {
    await using stream = await open('nora')
    const { flow, id } = await run('nora', 'pay 0.02')
    const started = await stream.until(({ event }) => event === 'workflow_started')
    expect(started.data).toEqual({
      execution_id: id,
      workflow_id: flow,
      started_at: expect.any(Number),
      estimated_duration: null,
    })
    const completed = await stream.until(({ event }) => event === 'workflow_completed')
    expect(completed.data).toEqual({
      execution_id: id,
      workflow_id: flow,
      completed_at: expect.any(Number),
      success: true,
      duration: expect.any(Number),
      cost: 0.02,
      unpriced: false,
    })
    expect(Number(completed.id)).toBeGreaterThan(Number(started.id))
  })

  test('sends why an execution failed, and which provider caused it', async () => {
    await using stream = await open('nora')
    const { id } = await run('nora', 'fail PROVIDER_UNAVAILABLE')
    const failed = await stream.until(({ event }) => event === 'workflow_failed')
    expect(failed.data).toMatchObject({
      execution_id: id,
      status: 'failed',
      error: {
        code: 'PROVIDER_UNAVAILABLE',
        message: 'It would not.',
        failed_step: 'only',
        provider: 'cloud',
      },
    })
    const error = await stream.until(({ event }) => event === 'error')
    expect(error.data).toMatchObject({ error: 'It would not.', provider: 'cloud', retry_in: null })
  })

  test('sends the retry of a step, and its time', async () => {
    await using stream = await open('nora')
    await run('nora', 'stumble', { retry_config: { max_attempts: 2 } })
    const error = await stream.until(({ event }) => event === 'error')
    expect(error.data).toMatchObject({
      error: 'It is away.',
      provider: 'cloud',
      retry_in: expect.any(Number),
    })
    await stream.until(({ event }) => event === 'workflow_completed')
  })

  test('sends cost thresholds of a workflow, and of the day', async () => {
    const flow = await server.save([prompt('only', 'pay 0.5')], {
      flow: { global_configuration: { cost_controls: { cost_alerts: [0.25] } } },
    })
    await using stream = await open('nora')
    await server.post('/execute-workflow', { workflow_id: flow })
    const alert = await stream.until(({ event }) => event === 'cost_alert')
    expect(alert.data).toMatchObject({
      alert_type: 'cost_alert',
      current_cost: 0.5,
      threshold: 0.25,
      period: 'execution',
    })
  })

  test('sends statistics of agents after they ran', async () => {
    await using stream = await open('otto')
    const { body: agent } = await server.call('/agents/copy_editor')
    const flow = await server.save([agentStep('look', 'copy_editor')])
    await server.post('/execute-workflow', { workflow_id: flow }, { as: 'nora' })
    const told = await stream.until(({ event }) => event === 'agent_performance')
    expect(told.data).toEqual({
      agent_id: 'copy_editor',
      avg_response_time: expect.any(Number),
      success_rate: 100,
      executions_24h: agent.performance_metrics.executions_24h + 1,
    })
  })

  test('sends providers that go offline and online', async () => {
    await using stream = await open('nora')
    await server.events.append({
      type: 'models.provider_status_changed',
      data: {
        provider: 'openai',
        status: 'offline',
        previous_status: 'online',
        response_time: null,
        last_error: 'x',
      },
    })
    const told = await stream.until(({ event }) => event === 'provider_status')
    expect(told.data).toMatchObject({ provider: 'openai', status: 'offline', previous_status: 'online' })
  })

  test('hides an execution from other accounts, and shows all to workflow managers', async () => {
    await using nora = await open('nora')
    await using otto = await open('otto')
    await using mara = await open('mara')
    await using vera = await open('vera')
    const { id } = await run('nora', 'secret')
    await run('otto', 'mine')
    const isIts = ({ data }: { data: { execution_id?: string } }) => data.execution_id === id
    await nora.until((it) => isIts(it) && it.event === 'workflow_completed')
    await mara.until((it) => isIts(it) && it.event === 'workflow_completed')
    await otto.until(({ event }) => event === 'workflow_completed')
    // The next sample follows all earlier events.
    const isLater = ({ event, id: at }: { event: string; id: string | undefined }) =>
      event === 'status_update' && Number(at) >= Number(nora.heard.find(isIts)?.id) + 2
    await vera.until(isLater)
    expect(otto.heard.some(isIts)).toBe(false)
    expect(vera.heard.filter(({ event }) => event.startsWith('workflow_'))).toEqual([])
  })

  test('sends the end of an execution that started before the first viewer, in another process', async () => {
    await using runner = await startOrchestraServer({ runStep: () => steps.runStep })
    await using watched = await startOrchestraServer({ database: runner.database, role: 'api' })
    const flow = await runner.save([prompt('only', 'wait long')])
    const { body } = await runner.post('/execute-workflow', { workflow_id: flow, options: { async: true } })
    await steps.reached('long')
    await using stream = await openStream(
      `${watched.url}/ai-orchestra/api/live-stream`,
      watched.headersOf('nora'),
    )
    steps.release('long')
    const end = await stream.until(({ event }) => event === 'workflow_completed')
    expect(end.data.execution_id).toBe(body.execution_id)
  })

  test('resumes where the reader stopped, also from transient events, by header or query', async () => {
    await using before = await open('nora')
    const status = await before.until(({ event }) => event === 'status_update')
    const { id } = await run('nora', 'one')
    const started = await before.until((it) => it.data.execution_id === id && it.event === 'workflow_started')
    const completed = await before.until(
      (it) => it.data.execution_id === id && it.event === 'workflow_completed',
    )
    before.cut()
    for (const from of [status.id ?? '', String(Number(started.id) - 1)]) {
      await using after = await open('nora', from)
      const again = await after.until((it) => it.event === 'workflow_started')
      expect(again).toEqual(started)
      expect(await after.until((it) => it.event === 'workflow_completed')).toEqual(completed)
    }
    await using after = await openStream(
      `${server.url}/ai-orchestra/api/live-stream?last_event_id=${started.id}`,
      server.headersOf('nora'),
    )
    expect(await after.until((it) => it.event === 'workflow_completed')).toEqual(completed)
    expect(after.heard.some(({ event }) => event === 'workflow_started')).toBe(false)
  })

  test('reports a gap, with the running executions', async () => {
    const flow = await server.save([prompt('only', 'wait still')])
    const { body } = await server.post('/execute-workflow', { workflow_id: flow, options: { async: true } })
    await eventually(
      async () => (await server.engine.executions.read(body.execution_id))?.status === 'running',
    )
    for (const [lastEventId, reason] of [
      ['0', 'too_old'],
      ['999999999', 'unknown'],
    ] as const) {
      await using stream = await open('nora', lastEventId)
      await stream.until(() => true)
      expect(stream.heard[0]).toMatchObject({
        event: 'stream_reset',
        data: {
          reason,
          active_workflows: [
            { execution_id: body.execution_id, workflow_id: flow, started_at: expect.any(Number) },
          ],
          total: 1,
        },
      })
      expect(stream.heard[0]?.id).toMatch(/^\d+\.\d+$/)
    }
    steps.release('still')
  })

  test('refuses an invalid id, and a caller without the permission', async () => {
    const wrong = await server.call('/live-stream', { headers: { 'last-event-id': 'yesterday' } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^last-event-id must be the id of an event/),
    })
    for (const id of ['-1', '1e309', '5.x', '5.', '1,2', '9'.repeat(16)])
      expect((await server.call('/live-stream', { headers: { 'last-event-id': id } })).status, id).toBe(400)
    const unknown = await server.call('/live-stream?last_event_id[]=1')
    expect([unknown.status, unknown.body.error.message]).toEqual([
      400,
      'last_event_id[] is not a known field.',
    ])
    const anonymousPrincipal = await server.call('/live-stream', { as: '' })
    expect(anonymousPrincipal.status).toBe(401)
    expect(anonymousPrincipal.body.error.code).toBe('AUTHENTICATION_REQUIRED')
  })

  test('writes nothing to the log without viewers', async () => {
    await using quiet = await startOrchestraServer({ runStep: () => steps.runStep })
    const before = await quiet.events.lastId()
    const flow = await quiet.save([prompt('only', 'unseen')])
    await quiet.post('/execute-workflow', { workflow_id: flow })
    await eventually(async () => (await quiet.database.query('select from engine_outbox')).length === 0)
    expect(await quiet.events.lastId()).toBe(before)
  })
})
