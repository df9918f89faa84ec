import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { asks, says, startWithModel } from './orchestra-model.ts'
import { startOrchestraServer } from './orchestra-server.ts'

const paidFor = {
  callId: '00000000-0000-7000-8000-000000000000',
  source: 'engine',
  provider: 'cloud',
  model: 'cloud/large',
  requestedModel: 'auto',
  priceSource: 'test',
  priceVersion: null,
  attempts: 1,
}

describe('cancelling an execution', () => {
  let scene: Awaited<ReturnType<typeof startWithModel>>

  beforeAll(async () => {
    scene = await startWithModel()
    // The first call that is cancelled loads the tokenizer, which can take longer than a request waits for the end.
    const { server } = scene
    const id = await startOne()
    await server.post(`/workflow-cancel/${id}`, {})
    await eventually(async () => (await server.engine.executions.read(id))?.status === 'cancelled')
  })
  afterAll(() => scene?.[Symbol.asyncDispose]())

  /** Counts the model calls: an unused scripted reply would be used by the next test. */
  const countAsked = () => scene.openai.requests.filter(({ method }) => method === 'POST').length

  /** Starts an execution with one completed step, one that waits for the model, and one to go. */
  async function startOne() {
    const { openai, server } = scene
    const workflow_id = await server.save([
      asks('one', 'First'),
      asks('two', 'Second', { dependencies: ['one'] }),
      asks('three', 'Third', { dependencies: ['two'] }),
    ])
    openai.script(says('1'), 'hang')
    const asked = countAsked()
    const { body } = await server.post('/execute-workflow', { workflow_id, options: { async: true } })
    const id: string = body.execution_id
    // The first is settled, and the second has a reservation.
    await eventually(async () => {
      const { spent = 0, reserved = 0 } = (await server.engine.executions.read(id)) ?? {}
      return spent > 0 && reserved > 0 && countAsked() === asked + 2
    })
    return id
  }

  test('aborts its calls, and releases unused reservations', async () => {
    const { server } = scene
    const id = await startOne()
    const before = await server.engine.executions.read(id)
    const { status, body } = await server.post(`/workflow-cancel/${id}`, { reason: 'Not needed any more' })
    const after = await server.engine.executions.read(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      execution_id: id,
      status: 'cancelled',
      cancelled_at: Math.floor((after?.finishedAt?.getTime() ?? 0) / 1000),
      steps_completed: 1,
      steps_cancelled: 2,
      partial_results: { one: '1' },
      cleanup_status: 'completed',
      refund_amount: expect.any(Number),
    })
    const wasHeld = (before?.spent ?? 0) + (before?.reserved ?? 0)
    expect(body.refund_amount).toBeCloseTo((wasHeld - (after?.spent ?? 0)) / 1e6, 9)
    expect(body.refund_amount).toBeGreaterThan(0)
    expect(after).toMatchObject({ reserved: 0, cancel: { reason: 'Not needed any more' } })
    expect(after?.outcomes.find(({ stepId }) => stepId === 'one')?.output).toBe('1')
  })

  test('with cleanup returns its outputs for the last time', async () => {
    const { server } = scene
    const id = await startOne()
    const { body } = await server.post(`/workflow-cancel/${id}`, { cleanup: true })
    expect(body).toMatchObject({ cleanup_status: 'removed', partial_results: { one: '1' } })
    const { body: seen } = await server.call(`/workflow-status/${id}`)
    expect(seen.intermediate_results).toEqual({ one: null })
    expect(seen.steps_completed).toEqual(['one'])
  })

  test('does not change a finished one', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Done?')])
    openai.script(says('Done.'))
    const { body: done } = await server.post('/execute-workflow', { workflow_id })
    const { status, body } = await server.post(`/workflow-cancel/${done.execution_id}`, {})
    expect([status, body.error.code]).toEqual([409, 'EXECUTION_NOT_RUNNING'])
    expect(body.error.details).toEqual({ execution_id: done.execution_id, status: 'completed' })
  })

  test('requires read access to it, and no body', async () => {
    const { server } = scene
    const id = await startOne()
    const path = `/workflow-cancel/${id}`
    expect((await server.post(path, {}, { as: 'otto' })).status).toBe(404)
    expect((await server.post(path, { hard: true })).body.error.code).toBe('VALIDATION_ERROR')
    const { status, body } = await server.call(path, { as: 'mara', method: 'POST' })
    expect([status, body.status]).toEqual([200, 'cancelled'])
  })

  test('ends the request of a waiting caller', async () => {
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Never')])
    openai.script('hang')
    const asked = countAsked()
    const waiting = server.post('/execute-workflow', { workflow_id })
    const find = async () =>
      (await server.engine.executions.list({ flowId: workflow_id, limit: 1, offset: 0, order: 'newest' }))
        .executions[0]?.id
    await eventually(() => countAsked() > asked)
    await server.post(`/workflow-cancel/${await find()}`, {})
    const { status, body } = await waiting
    expect([status, body.error.code]).toEqual([409, 'EXECUTION_CANCELLED'])
  })
})

test('a worker that does not respond is not awaited; by force its lease is revoked at once', async () => {
  const gate = Promise.withResolvers<void>()
  let reached = Promise.withResolvers<void>()
  await using server = await startOrchestraServer({
    cancelWaitMs: 50,
    // The second step ignores its signal.
    runStep: (usually) => async (run) => {
      if (run.step.id === 'two') {
        await run.budget.reserve(1000, paidFor)
        reached.resolve()
        await gate.promise
      }
      return await usually(run)
    },
  })
  const merge = { type: 'data_transform', transformations: [{ operation: 'merge', sources: ['content'] }] }
  const workflow_id = await server.save([
    { id: 'one', ...merge },
    { id: 'two', ...merge, dependencies: ['one'] },
  ])
  const start = async (): Promise<string> => {
    reached = Promise.withResolvers()
    const context = { content: 'A text.' }
    const { body } = await server.post('/execute-workflow', {
      workflow_id,
      context,
      options: { async: true },
    })
    await reached.promise
    return body.execution_id
  }
  const taken = await start()
  const forced = await server.post(`/workflow-cancel/${taken}`, { force: true })
  expect(forced.status).toBe(200)
  // The outcome of the call is unknown, so its reservation counts as spent.
  expect(forced.body).toMatchObject({
    status: 'cancelled',
    steps_completed: 1,
    steps_cancelled: 1,
    refund_amount: 0,
  })
  expect((await server.engine.executions.read(taken))?.spent).toBe(1000)
  const left = await start()
  const { status, body } = await server.post(`/workflow-cancel/${left}`, { cleanup: true })
  expect(status).toBe(202)
  expect(body).toMatchObject({
    status: 'running',
    cancelled_at: null,
    steps_completed: 1,
    steps_cancelled: 0,
    cleanup_status: 'in_progress',
    refund_amount: 0,
  })
  gate.resolve()
  await eventually(async () => {
    const record = await server.engine.executions.read(left)
    return record?.status === 'cancelled' && record.outcomes[0]?.output === null
  })
})
