import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { apiFailed, createFaultySteps, providerFailed } from '../database/engine-control-setting.ts'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: WorkflowsServer
const obedient = createObedientSteps()
const faulty = createFaultySteps()
/** Steps that fail after their call was paid. */
const unusable = new Set<string>()

beforeAll(async () => {
  server = await startWorkflowsServer({
    // Steps marked as broken fail; all others follow their prompt.
    runStep: async (run) => {
      await faulty.runStep(run)
      const result = await obedient.runStep(run)
      if (!unusable.has(run.step.id)) return result
      throw new StepFailure({ ...apiFailed, usage: result.usage })
    },
  })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => obedient.reset())

const untilIs = (id: string, status: string) =>
  eventually(async () => (await server.engine.executions.read(id))?.status === status)

async function enqueue(flow_id: string, more: object = {}, as = 'nora'): Promise<string> {
  const { status, body } = await server.post('/execute-flow-async', { flow_id, ...more }, { as })
  if (status !== 202) throw new Error(JSON.stringify(body))
  return body.execution_id as string
}

const nobodysId = '00000000-0000-7000-8000-000000000001'

describe('POST /executions/{id}/cancel', () => {
  test('stops running steps, and returns the results so far', async () => {
    const flow = await server.save([
      prompt('first', 'Something'),
      prompt('second', 'wait cancel', { dependencies: ['first'] }),
      prompt('third', 'Never', { dependencies: ['second'] }),
    ])
    const id = await enqueue(flow)
    await obedient.reached('cancel')
    const { status, body } = await server.post(`/executions/${id}/cancel`, { reason: 'Not needed.' })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      execution_id: id,
      status: 'cancelled',
      cancelled_at: expect.any(Number) as number,
      steps_completed: 1,
      steps_cancelled: 2,
      partial_results: { first: 'Something' },
      cleanup_status: 'completed',
      refund_amount: 0,
    })
    expect(Math.abs(body.cancelled_at - Date.now() / 1000)).toBeLessThan(60)
    const again = await server.post(`/executions/${id}/cancel`, {})
    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({
      code: 'EXECUTION_NOT_RUNNING',
      details: { execution_id: id, status: 'cancelled' },
      recovery_options: [],
    })
    const record = await server.engine.executions.read(id)
    expect(record?.cancel).toMatchObject({ by: server.idOf('nora'), reason: 'Not needed.' })
  })

  test('needs no body, and removes outputs on request', async () => {
    const flow = await server.save([
      prompt('first', 'Something'),
      prompt('second', 'wait cleanup', { dependencies: ['first'] }),
    ])
    const kept = await enqueue(flow)
    await obedient.reached('cleanup')
    expect((await server.call(`/executions/${kept}/cancel`, { method: 'POST' })).status).toBe(200)
    expect((await server.engine.executions.read(kept))?.outcomes[0]?.output).toBe('Something')
    const cleaned = await enqueue(flow)
    await eventually(async () => (await server.engine.executions.read(cleaned))?.outcomes.length === 1)
    const { body } = await server.post(`/executions/${cleaned}/cancel`, { cleanup: true })
    expect(body).toMatchObject({ partial_results: { first: 'Something' }, cleanup_status: 'removed' })
    expect((await server.engine.executions.read(cleaned))?.outcomes[0]?.output).toBeNull()
  })

  test('still removes outputs when it responds before the worker ended it', async () => {
    const reached = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    await using impatient = await startWorkflowsServer({
      cancelWaitMs: 50,
      // The second step ignores its signal.
      runStep: async (run) => {
        if (run.step.id === 'second') {
          reached.resolve()
          await gate.promise
        }
        return await obedient.runStep(run)
      },
    })
    const flow_id = await impatient.save([
      prompt('first', 'Something'),
      prompt('second', 'More', { dependencies: ['first'] }),
    ])
    const { body: started } = await impatient.post('/execute-flow-async', { flow_id })
    const id: string = started.execution_id
    await reached.promise
    const { status, body } = await impatient.post(`/executions/${id}/cancel`, { cleanup: true })
    expect(status).toBe(202)
    expect(body).toMatchObject({ partial_results: { first: 'Something' }, cleanup_status: 'in_progress' })
    gate.resolve()
    await eventually(async () => (await impatient.engine.executions.read(id))?.status === 'cancelled')
    expect((await impatient.engine.executions.read(id))?.outcomes[0]?.output).toBeNull()
  })

  test('is allowed to the owner, and to workflow managers', async () => {
    const id = await enqueue(await server.save([prompt('only', 'wait owner')]))
    for (const other of ['otto', 'vera', '']) {
      const { status } = await server.post(`/executions/${id}/cancel`, {}, { as: other })
      expect(status).toBe({ otto: 404, vera: 403 }[other] ?? 401)
    }
    expect((await server.post(`/executions/${id}/cancel`, {}, { as: 'mara' })).status).toBe(200)
  })
})

describe('POST /executions/{id}/recover', () => {
  test('queues a failed execution again', async () => {
    faulty.break('broken', apiFailed)
    const flow = await server.save([
      prompt('first', 'One'),
      prompt('broken', 'Two', { dependencies: ['first'] }),
    ])
    const failed = await server.post('/execute-flow', { flow_id: flow })
    expect(failed.status).toBe(502)
    const { details, recovery_options } = failed.body.error
    expect(recovery_options.map((option: { action: string }) => option.action)).toEqual([
      'continue_without_failed_step',
      'restart_from_checkpoint',
    ])
    faulty.mend('broken')
    const path = `/executions/${details.execution_id}/recover`
    const { status, body } = await server.post(path, { action: 'restart_from_checkpoint' })
    expect(status).toBe(202)
    expect(body).toEqual({
      success: true,
      execution_id: details.execution_id,
      status: 'queued',
      action: 'restart_from_checkpoint',
    })
    await untilIs(details.execution_id, 'completed')
    const late = await server.post(path, { action: 'restart_from_checkpoint' })
    expect(late.status).toBe(409)
    expect(late.body.error).toMatchObject({ code: 'EXECUTION_NOT_FAILED', details: { status: 'completed' } })
  })

  test('keeps the cost of calls that are made again, as a cost of no step', async () => {
    const flow = await server.save([prompt('paid', 'pay 0.25')])
    unusable.add('paid')
    const failed = await server.post('/execute-flow', { flow_id: flow })
    unusable.delete('paid')
    const { execution_id: id } = failed.body.error.details
    await server.post(`/executions/${id}/recover`, { action: 'restart_from_checkpoint' })
    await untilIs(id, 'completed')
    const { body } = await server.call(`/analytics/flows?flow_ids=${flow}`, { as: 'mara' })
    expect(body.cost_analysis).toMatchObject({ total_cost: 0.5, unassigned_cost: 0.25 })
    expect(body.step_type_analysis.ai_prompt).toMatchObject({ total_cost: 0.25 })
    expect(body.provider_analysis.cloud).toMatchObject({ total_cost: 0.25 })
  })

  test('runs once for one key, and returns the same response', async () => {
    faulty.break('flaky', providerFailed)
    const id = await enqueue(await server.save([prompt('flaky', 'One')]))
    await untilIs(id, 'failed')
    faulty.mend('flaky')
    const recover = () =>
      server.post(
        `/executions/${id}/recover`,
        { action: 'retry_with_different_provider' },
        { headers: { 'idempotency-key': `recover ${id}` } },
      )
    const answers = await Promise.all([recover(), recover(), recover()])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(answers.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(2)
    await untilIs(id, 'completed')
    expect((await recover()).body).toEqual(answers[0]?.body)
  })

  test.each([
    [{ action: 'turn_it_off_and_on' }, 400, 'VALIDATION_FAILED'],
    [{}, 400, 'VALIDATION_FAILED'],
    [{ action: 'restart_from_checkpoint', more: 1 }, 400, 'VALIDATION_FAILED'],
    [{ action: 'restart_from_checkpoint' }, 404, 'EXECUTION_NOT_FOUND'],
  ])('refuses %j', async (body, status, code) => {
    for (const id of [nobodysId, 'no-uuid']) {
      const answer = await server.post(`/executions/${id}/recover`, body)
      expect([answer.status, answer.body.error.code]).toEqual([status, code])
    }
  })

  test('reports an action that would not help', async () => {
    faulty.break('api', apiFailed)
    const id = await enqueue(await server.save([prompt('api', 'One')]))
    await untilIs(id, 'failed')
    const { status, body } = await server.post(`/executions/${id}/recover`, {
      action: 'retry_with_different_provider',
    })
    expect([status, body.error.code]).toEqual([409, 'RECOVERY_NOT_POSSIBLE'])
    const others = await server.post(
      `/executions/${id}/recover`,
      { action: 'restart_from_checkpoint' },
      { as: 'otto' },
    )
    expect(others.status).toBe(404)
  })
})

describe('POST /executions/{id}/fork', () => {
  test('creates a new execution, once for one key', async () => {
    const flow = await server.save([
      prompt('first', 'One', { output_to_memory: 'one' }),
      prompt('second', 'Two', { dependencies: ['first'] }),
    ])
    const id = await enqueue(flow)
    await untilIs(id, 'completed')
    const fork = () =>
      server.post(
        `/executions/${id}/fork`,
        { from_step: 'second', context: { content: 'Other' }, memory: { one: 'edited' } },
        { headers: { 'idempotency-key': `fork ${id}` } },
      )
    const [one, other] = await Promise.all([fork(), fork()])
    expect(one?.status).toBe(202)
    expect(other?.body).toEqual(one?.body)
    expect(one?.body).toEqual({
      success: true,
      execution_id: expect.not.stringContaining(id) as string,
      status: expect.stringMatching(/queued|running|completed/) as string,
      forked_from: id,
      from_step: 'second',
      flow_version: 1,
      reused_steps: ['first'],
      approval: null,
    })
    await untilIs(one?.body.execution_id, 'completed')
    const { executions } = await server.engine.executions.list({
      flowId: flow,
      order: 'oldest',
      limit: 10,
      offset: 0,
    })
    expect(executions).toHaveLength(2)
    const { body } = await server.call(`/executions/${one?.body.execution_id}`)
    expect(body).toMatchObject({ forked_from: id, shared_memory: { one: 'edited' } })
  })

  test.each([
    [{ from_step: 'nowhere' }, 422, 'UNKNOWN_STEP'],
    [{}, 400, 'VALIDATION_FAILED'],
    [{ from_step: 'only', context: 'a text' }, 400, 'VALIDATION_FAILED'],
    [{ from_step: 'only', options: { max_execution_time: 'soon' } }, 400, 'VALIDATION_FAILED'],
  ])('refuses %j', async (body, status, code) => {
    const id = await enqueue(await server.save([prompt('only', 'One')]))
    await untilIs(id, 'completed')
    const answer = await server.post(`/executions/${id}/fork`, body)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect((await server.post(`/executions/${id}/fork`, { from_step: 'only' }, { as: 'otto' })).status).toBe(
      404,
    )
  })
})

describe('approvals', () => {
  const metadata = { approval_required: true }

  test('are listed for approvers, and decided once', async () => {
    const flow = await server.save([prompt('only', 'One')], { metadata })
    const ids = [await enqueue(flow), await enqueue(flow)]
    expect((await server.call('/approvals')).status).toBe(403)
    const { status, body } = await server.call('/approvals?limit=200', { as: 'mara' })
    expect(status).toBe(200)
    expect(body.total).toBe(body.approvals.length)
    expect(body.approvals.filter((it: { flow_id: string }) => it.flow_id === flow)).toMatchObject(
      ids.map((execution_id) => ({
        execution_id,
        flow_version: 1,
        flow_label: 'A test',
        requested_by: server.idOf('nora'),
        requested_at: expect.any(Number) as number,
        priority: 'normal',
        forked_from: null,
        schedule_id: null,
      })),
    )
    const [first, second] = ids
    const approved = await server.post(`/executions/${first}/approve`, { note: 'Fine.' }, { as: 'mara' })
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { success: true, execution_id: first, approval: 'approved', note: 'Fine.' },
    ])
    await untilIs(String(first), 'completed')
    const rejected = await server.call(`/executions/${second}/reject`, { as: 'mara', method: 'POST' })
    expect([rejected.status, rejected.body]).toMatchObject([
      200,
      { execution_id: second, status: 'cancelled', approval: 'rejected', note: null },
    ])
    const late = await server.post(`/executions/${second}/approve`, {}, { as: 'mara' })
    expect([late.status, late.body.error.code]).toEqual([409, 'NOT_AWAITING_APPROVAL'])
  })

  test('cannot be decided with only the run permission', async () => {
    const id = await enqueue(await server.save([prompt('only', 'One')], { metadata }), {}, 'otto')
    for (const [as, expected] of [
      ['otto', 403],
      ['', 401],
    ] as const) {
      expect((await server.post(`/executions/${id}/approve`, {}, { as })).status).toBe(expected)
    }
    expect((await server.post(`/executions/${nobodysId}/approve`, {}, { as: 'mara' })).status).toBe(404)
    expect((await server.post(`/executions/${id}/reject`, { note: 1 }, { as: 'mara' })).status).toBe(400)
  })
})

describe('the memory of a flow', () => {
  test('can be read and cleared by its account', async () => {
    const flow = await server.save([prompt('say', 'One', { output_to_memory: 'said' })], {
      flow: { global_configuration: { shared_memory_persistent: true } },
    })
    const path = `/flows/${flow}/memory`
    expect((await server.call(path)).body).toEqual({
      success: true,
      flow_id: flow,
      memory: {},
      size_bytes: 0,
      updated_at: null,
    })
    await untilIs(await enqueue(flow), 'completed')
    const { status, body } = await server.call(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      memory: { said: 'One' },
      size_bytes: 15,
      updated_at: expect.any(Number) as number,
    })
    expect((await server.call(path, { as: 'otto' })).body.memory).toEqual({})
    expect((await server.call(path, { as: 'otto', method: 'DELETE' })).body.cleared).toBe(false)
    expect((await server.call(path, { method: 'DELETE' })).body).toEqual({
      success: true,
      flow_id: flow,
      cleared: true,
    })
    expect((await server.call(path)).body.memory).toEqual({})
  })

  test('of an unknown flow is not found', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await server.call('/flows/nowhere/memory', { method, as: 'otto' })
      expect([status, body.error.code]).toEqual([404, 'FLOW_NOT_FOUND'])
    }
    expect((await server.call('/flows/nowhere/memory', { as: 'vera' })).status).toBe(403)
  })
})
