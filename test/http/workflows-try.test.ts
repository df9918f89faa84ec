import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

const draft = (steps: readonly object[]) => ({ id: 'my_draft', label: 'Being made', steps })

describe('trying an unsaved flow', () => {
  let server: WorkflowsServer
  const { runStep } = createObedientSteps()

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  async function untilOver(id: string) {
    await expect
      .poll(async () => (await server.call(`/execution-status/${id}`, { as: 'mara' })).body.status)
      .not.toMatch(/queued|running/)
    return (await server.call(`/executions/${id}`, { as: 'mara' })).body
  }

  test('runs it unchanged, and returns the result of each step', async () => {
    const { status, body } = await server.post(
      '/flows/try',
      {
        flow_definition: draft([prompt('say', 'Hello', { output_to_memory: 'said' })]),
        context: { content: 'x' },
      },
      { as: 'mara' },
    )
    expect(status).toBe(202)
    expect(body).toMatchObject({
      success: true,
      monitoring: { trace_url: expect.stringMatching(/executions\/.+\/trace$/) },
    })
    expect(await untilOver(body.execution_id)).toMatchObject({ status: 'completed', result: 'Hello' })
    const trace = await server.call(`/executions/${body.execution_id}/trace`, { as: 'mara' })
    expect(trace.body).toMatchObject({ flow_label: 'Being made', steps: [{ step_id: 'say' }] })
  })

  test('saves no flow, and counts in no statistics', async () => {
    const before = (await server.call('/analytics/flows?timeframe=1h', { as: 'mara' })).body
    const { body } = await server.post(
      '/flows/try',
      { flow_definition: draft([prompt('say', 'Hello')]) },
      { as: 'mara' },
    )
    await untilOver(body.execution_id)
    const { body: list } = await server.call('/flows?search=draft', { as: 'mara' })
    expect(list.flows).toEqual([])
    expect((await server.call('/flows/my_draft', { as: 'mara' })).status).toBe(404)
    const after = (await server.call('/analytics/flows?timeframe=1h', { as: 'mara' })).body
    expect(after.analytics_summary.total_executions).toBe(before.analytics_summary.total_executions)
  })

  test('several drafts of one account are separate, and an execution can be forked', async () => {
    const tried = await Promise.all(
      ['one', 'two', 'three'].map(async (word) => {
        const { body } = await server.post(
          '/flows/try',
          { flow_definition: draft([prompt('say', word)]) },
          { as: 'mara' },
        )
        return (await untilOver(body.execution_id)).result
      }),
    )
    expect(tried).toEqual(['one', 'two', 'three'])
    const { body } = await server.post(
      '/flows/try',
      { flow_definition: draft([prompt('say', 'again')]) },
      { as: 'mara' },
    )
    await untilOver(body.execution_id)
    const fork = await server.post(
      `/executions/${body.execution_id}/fork`,
      { from_step: 'say' },
      { as: 'mara' },
    )
    expect([fork.status, (await untilOver(fork.body.execution_id)).result]).toEqual([202, 'again'])
  })

  test('a repeated request starts nothing again', async () => {
    const body = { flow_definition: draft([prompt('say', 'once')]) }
    const how = { as: 'mara', headers: { 'idempotency-key': 'try-once' } }
    const first = await server.post('/flows/try', body, how)
    const second = await server.post('/flows/try', body, how)
    expect(second.body.execution_id).toBe(first.body.execution_id)
  })

  test('reports all its errors, like saving', async () => {
    const broken = await server.post(
      '/flows/try',
      { flow_definition: draft([prompt('say', 'x', { dependencies: ['missing'] })]) },
      { as: 'mara' },
    )
    expect([broken.status, broken.body.error.code]).toEqual([422, 'INVALID_FLOW_DEFINITION'])
    const noFrame = await server.post('/flows/try', { flow_definition: 'x' }, { as: 'mara' })
    expect([noFrame.status, noFrame.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    const told = await server.post(
      '/flows/try',
      {
        flow_definition: draft([prompt('say', 'x')]),
        options: { callback_config: { webhook_url: 'https://example.com' } },
      },
      { as: 'mara' },
    )
    expect(told.status).toBe(400)
  })

  test('requires the permission to manage workflows', async () => {
    const refused = await server.post('/flows/try', { flow_definition: draft([prompt('say', 'x')]) })
    expect(refused.status).toBe(403)
  })

  test('drafts are deleted with their executions', async () => {
    const { body } = await server.post(
      '/flows/try',
      { flow_definition: draft([prompt('say', 'brief')]) },
      { as: 'mara' },
    )
    await untilOver(body.execution_id)
    const count = async () =>
      (await server.database.query(`select from engine_flow_versions where flow_id like 'draft:%'`)).length
    const task = server.engine.tasks.find(({ name }) => name === 'engine.prune')
    await server.database.query(`update engine_flow_versions set created_at = now() - interval '2 hours'`)
    const kept = await count()
    await task?.run(new AbortController().signal)
    expect(await count()).toBe(kept)
    await server.database.query('delete from engine_executions where id = $1', [body.execution_id])
    await task?.run(new AbortController().signal)
    expect(await count()).toBe(kept - 1)
  })
})
