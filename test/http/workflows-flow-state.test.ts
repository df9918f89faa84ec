import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createHook, sendTo } from './triggers-setting.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: WorkflowsServer
const obedient = createObedientSteps()

beforeAll(async () => {
  server = await startWorkflowsServer({ runStep: obedient.runStep })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const context = { content: 'A text.' }

const setEnabled = (flow: string, enabled: boolean, as = 'mara') =>
  server.call(`/flows/${flow}`, { as, method: 'PATCH', body: { enabled } })

const start = (flow_id: string) => server.post('/execute-flow-async', { flow_id, context })

const untilEnd = (id: string) =>
  eventually(async () => (await server.engine.executions.read(id))?.finishedAt !== null)

async function run(flow: string): Promise<string> {
  const { status, body } = await start(flow)
  expect(status).toBe(202)
  await untilEnd(body.execution_id as string)
  return body.execution_id as string
}

const refused = (flow: string) => ({
  status: 409,
  body: {
    error: {
      code: 'FLOW_CONFLICT',
      message: expect.stringContaining(`"${flow}" is disabled`) as string,
      details: { flow_id: flow, enabled: false },
    },
  },
})

describe('PATCH /flows/{id}', () => {
  test('disables a flow, which is shown, and enables it again', async () => {
    const flow = await server.save([prompt('only', 'One')])
    expect((await setEnabled(flow, false)).body).toEqual({
      success: true,
      flow_id: flow,
      enabled: false,
      status: 'disabled',
    })
    expect((await setEnabled(flow, false)).body).toMatchObject({ status: 'unchanged', enabled: false })
    expect((await server.call(`/flows/${flow}`)).body).toMatchObject({ enabled: false, kind: 'steps' })
    const listed = async (enabled: boolean) =>
      (await server.call(`/flows?enabled=${enabled}&search=${flow}`)).body.total as number
    expect([await listed(true), await listed(false)]).toEqual([0, 1])
    expect(await start(flow)).toMatchObject(refused(flow))
    expect((await setEnabled(flow, true)).body).toMatchObject({ status: 'enabled', enabled: true })
    await run(flow)
  })

  test('is written to the audit log, once for each change', async () => {
    const flow = await server.save([prompt('only', 'One')])
    await setEnabled(flow, false)
    await setEnabled(flow, false)
    await setEnabled(flow, true)
    const events = await server.database.query<{ type: string; by: string }>(
      `select type, data ->> 'by' as by from kernel_events where subject = $1 order by id`,
      [flow],
    )
    expect(events).toEqual([
      { type: 'workflows.flow_disabled', by: server.idOf('mara') },
      { type: 'workflows.flow_enabled', by: server.idOf('mara') },
    ])
  })

  test('requires the permission, a known flow, and a body', async () => {
    const flow = await server.save([prompt('only', 'One')])
    expect((await setEnabled(flow, false, 'nora')).status).toBe(403)
    expect(await setEnabled('no_such_flow', false)).toMatchObject({
      status: 404,
      body: { error: { code: 'FLOW_NOT_FOUND' } },
    })
    for (const body of [{}, { enabled: 'no' }, { enabled: true, colour: 'red' }])
      expect((await server.call(`/flows/${flow}`, { as: 'mara', method: 'PATCH', body })).status).toBe(400)
  })

  test('a deleted flow that is created again is enabled', async () => {
    const flow = await server.save([prompt('only', 'One')])
    await setEnabled(flow, false)
    await server.engine.flows.remove(flow)
    const definition = { id: flow, label: 'Again', steps: [prompt('only', 'One')] }
    await server.engine.flows.create({ definition }, { by: { accountId: null, username: null } })
    await run(flow)
  })
})

describe('a disabled flow', () => {
  test('is not started by any request, and its running execution continues', async () => {
    const flow = await server.save([prompt('only', 'wait goes_on')])
    const { body } = await start(flow)
    await obedient.reached('goes_on')
    await setEnabled(flow, false)
    expect(await server.post('/execute-flow', { flow_id: flow, context })).toMatchObject(refused(flow))
    expect(await start(flow)).toMatchObject(refused(flow))
    const orchestra = { workflow_id: flow, context }
    expect(await server.post('/ai-orchestra/api/execute-workflow', orchestra)).toMatchObject({
      status: 409,
      body: { error: { code: 'WORKFLOW_DISABLED' } },
    })
    obedient.release('goes_on')
    await untilEnd(body.execution_id as string)
    expect(await server.engine.executions.read(body.execution_id as string)).toMatchObject({
      status: 'completed',
    })
  })

  test('is not run again, forked or recovered', async () => {
    const flow = await server.save([prompt('first', 'One'), prompt('second', 'fail EXTERNAL_API_FAILED')])
    const id = await run(flow)
    await setEnabled(flow, false)
    const path = `/executions/${id}`
    expect(await server.post(`${path}/rerun`, { version: 'same' })).toMatchObject(refused(flow))
    expect(await server.post(`${path}/fork`, { from_step: 'second' })).toMatchObject(refused(flow))
    const recover = () =>
      server.post(`/executions/${id}/recover`, { action: 'restart_from_checkpoint' }, { as: 'mara' })
    expect(await recover()).toMatchObject(refused(flow))
    await setEnabled(flow, true)
    expect((await recover()).status).toBeLessThan(300)
    await untilEnd(id)
  })

  test('is not scheduled, and a schedule that is due reports why nothing was started', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const schedule = { flow_id: flow, cron: '0 9 * * *' }
    const made = await server.post('/schedules', schedule)
    expect(made.status).toBe(201)
    await setEnabled(flow, false)
    expect(await server.post('/schedules', schedule)).toMatchObject(refused(flow))
    const path = `/schedules/${made.body.schedule_id}`
    expect(await server.post(`${path}/run`, {})).toMatchObject(refused(flow))
    await server.database.query(
      `update engine_schedules set next_at = now(), work_due_at = now() where id = $1`,
      [made.body.schedule_id],
    )
    await eventually(async () => (await server.call(path)).body.last_error?.code === 'FLOW_DISABLED')
  })

  test('is not called by a step of another flow', async () => {
    const inner = await server.save([prompt('only', 'One')])
    const outer = await server.save([{ id: 'call', type: 'sub_flow', flow: inner }])
    await setEnabled(inner, false)
    const id = await run(outer)
    expect(await server.engine.executions.read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_STEP', message: expect.stringContaining(`"${inner}" is disabled`) as string },
    })
  })

  test('is not started by its trigger', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, {})
    await setEnabled(flow, false)
    const { status, body } = await sendTo(hook, { a: 1 })
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'FLOW_CONFLICT' })
  })
})
