import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: WorkflowsServer
const obedient = createObedientSteps()

beforeAll(async () => {
  server = await startWorkflowsServer({ runStep: obedient.runStep })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const untilEnd = (id: string) =>
  eventually(async () => (await server.engine.executions.read(id))?.finishedAt !== null)

async function run(flow_id: string, context: object = { content: 'A text.' }): Promise<string> {
  const { status, body } = await server.post('/execute-flow-async', { flow_id, context })
  if (status !== 202) throw new Error(JSON.stringify(body))
  await untilEnd(body.execution_id as string)
  return body.execution_id as string
}

describe('POST /executions/{id}/rerun', () => {
  test('runs a failed execution again with the corrected flow', async () => {
    const flow = await server.save([prompt('only', 'fail EXTERNAL_API_FAILED')])
    const id = await run(flow)
    await server.engine.flows.change(
      flow,
      { definition: { id: flow, label: 'A test', steps: [prompt('only', 'Corrected')] } },
      { by: { accountId: null, username: null } },
    )
    const rerun = (body: object, as = 'nora') =>
      server.post(`/executions/${id}/rerun`, body, { as, headers: { 'idempotency-key': `rerun ${id}` } })
    const { status, body } = await rerun({ version: 'latest' })
    expect(status).toBe(202)
    expect(body).toEqual({
      success: true,
      execution_id: expect.not.stringContaining(id) as string,
      status: expect.stringMatching(/queued|running|completed/) as string,
      rerun_of: id,
      flow_version: 2,
      approval: null,
    })
    expect((await rerun({ version: 'latest' })).body).toEqual(body)
    await untilEnd(body.execution_id as string)
    const { body: result } = await server.call(`/executions/${body.execution_id}`)
    expect(result).toMatchObject({ status: 'completed', rerun_of: id })
    const { body: trace } = await server.call(`/executions/${body.execution_id}/trace`)
    expect(trace).toMatchObject({ rerun_of: id })
    const { body: list } = await server.call(`/executions?flow_id=${flow}`)
    expect(list.executions).toMatchObject([{ rerun_of: null }, { rerun_of: id, trigger_id: null }])
  })

  test('runs a completed execution again with other input, for another account', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const id = await run(flow)
    const { status, body } = await server.post(
      `/executions/${id}/rerun`,
      { version: 'same', context: { content: 'Other' } },
      { as: 'mara' },
    )
    expect(status).toBe(202)
    const record = await server.engine.executions.read(body.execution_id as string)
    expect(record).toMatchObject({ accountId: server.idOf('mara'), input: { context: { content: 'Other' } } })
  })

  test('waits for approval when the flow requires it', async () => {
    const flow = await server.save([prompt('only', 'One')], { metadata: { approval_required: true } })
    const started = await server.post('/execute-flow-async', { flow_id: flow, context: { content: 'x' } })
    const { body } = await server.post(`/executions/${started.body.execution_id}/rerun`, { version: 'same' })
    expect(body).toMatchObject({ status: 'queued', approval: 'pending' })
  })

  test.each([
    [{}, 400, 'VALIDATION_FAILED'],
    [{ version: 'newest' }, 400, 'VALIDATION_FAILED'],
    [{ version: 0 }, 400, 'VALIDATION_FAILED'],
    [{ version: 'same', context: 'a text' }, 400, 'VALIDATION_FAILED'],
    [{ version: 'same', other: 1 }, 400, 'VALIDATION_FAILED'],
    [{ version: 2 }, 404, 'FLOW_NOT_FOUND'],
  ])('refuses %j', async (body, status, code) => {
    const id = await run(await server.save([prompt('only', 'One')]))
    const answer = await server.post(`/executions/${id}/rerun`, body)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  test('does not find executions of others', async () => {
    const id = await run(await server.save([prompt('only', 'One')]))
    const { status } = await server.post(`/executions/${id}/rerun`, { version: 'same' }, { as: 'otto' })
    expect(status).toBe(404)
  })
})

describe('a budget that is used up', () => {
  const flow = { global_configuration: { cost_controls: { max_total_cost: 0.0001 } } }

  async function runOutOfBudget(): Promise<string> {
    // The step reserves nothing itself, so that its failure is that of the ledger.
    const id = await run(await server.save([prompt('only', 'fail INSUFFICIENT_CREDITS')], { flow }))
    await server.database.query(
      `update engine_executions set error = error || '{"details": {"budget": 0.0001}}' where id = $1`,
      [id],
    )
    return id
  }

  test('is offered to be raised, by whom the flow allows', async () => {
    const id = await runOutOfBudget()
    const { body } = await server.call(`/executions/${id}`)
    expect(body.error.recovery_options).toMatchObject([
      { action: 'restart_from_checkpoint', description: expect.stringContaining('max_total_cost') as string },
    ])
    const raise = (max_total_cost: number, as: string) =>
      server.post(`/executions/${id}/recover`, { action: 'restart_from_checkpoint', max_total_cost }, { as })
    const refused = await raise(1, 'nora')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED'])
    expect((await raise(0, 'nora')).status).toBe(400)
    expect((await raise(1, 'mara')).status).toBe(202)
  })
})
