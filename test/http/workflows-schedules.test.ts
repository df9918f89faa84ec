import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

const pathOf = (id: string) => `/schedules/${id}`

describe('schedules', () => {
  let server: WorkflowsServer
  let flow: string

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: createObedientSteps().runStep })
    flow = await server.save([prompt('only', 'A report on {{content}}.')])
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const add = async (body: object = {}, as = 'nora') => {
    const answer = await server.post('/schedules', { flow_id: flow, cron: '0 9 * * 1-5', ...body }, { as })
    expect(answer.status).toBe(201)
    return answer
  }

  /** Makes a schedule due, for now or a time some minutes from now. */
  const letCome = (id: string, minutes = 0) =>
    server.database.query(
      `
        update engine_schedules
        set next_at = date_trunc('second', now()) + $2 * interval '1 minute', work_due_at = now()
        where id = $1
      `,
      [id, minutes],
    )

  test('one is created with all fields, and returns its next five times', async () => {
    const starts = 4_070_908_800
    const { body, headers } = await add({
      label: 'Morning report',
      flow_version: 1,
      timezone: 'Europe/Berlin',
      context: { content: 'sales', metadata: { language: 'de' } },
      options: { ai_options: { cost_limit: 0.5 } },
      priority: 'high',
      overlap: 'queue',
      starts_at: starts,
      ends_at: starts + 40 * 86_400,
    })
    expect(body.success).toBe(true)
    expect(headers.get('location')).toBe(`/ai-workflows/api/schedules/${body.schedule_id}`)
    expect(body.schedule).toMatchObject({
      schedule_id: body.schedule_id,
      label: 'Morning report',
      flow_id: flow,
      flow_version: 1,
      account_id: server.idOf('nora'),
      created_by: server.idOf('nora'),
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
      context: { content: 'sales', metadata: { language: 'de' } },
      options: { ai_options: { cost_limit: 0.5 } },
      priority: 'high',
      overlap: 'queue',
      enabled: true,
      status: 'active',
      starts_at: starts,
      ends_at: starts + 40 * 86_400,
      last_run: null,
      last_execution_id: null,
      last_error: null,
      recent: [],
      counts: { started: 0, skipped: 0, failed: 0 },
    })
    expect(body.schedule.next_runs).toHaveLength(5)
    expect(body.schedule.next_runs[0]).toEqual({
      run_at: body.schedule.next_run_at,
      local_time: '2099-01-01T09:00:00+01:00',
    })
    const read = await server.call(pathOf(body.schedule_id))
    expect(read.body).toEqual(body.schedule)
  })

  test('it starts executions when it is due', async () => {
    const { body } = await add({ context: { content: 'Mondays' } })
    await letCome(body.schedule_id)
    await eventually(async () => (await server.call(pathOf(body.schedule_id))).body.last_run !== null, 200)
    const { body: schedule } = await server.call(pathOf(body.schedule_id))
    expect(schedule).toMatchObject({
      last_run: { outcome: 'started' },
      counts: { started: 1, skipped: 0, failed: 0 },
      last_error: null,
      status: 'active',
    })
    const execution = `/executions/${schedule.last_execution_id}`
    await eventually(async () => (await server.call(execution)).body.status === 'completed', 200)
    const { body: list } = await server.call(`/executions?schedule_id=${body.schedule_id}`)
    expect(list).toMatchObject({
      executions: [{ execution_id: schedule.last_execution_id, schedule_id: body.schedule_id }],
      total: 1,
    })
    const { body: ended } = await server.call(pathOf(body.schedule_id))
    const run = { execution_id: schedule.last_execution_id, duration: expect.any(Number) }
    expect(ended.last_run).toEqual({
      ...run,
      due_at: schedule.last_run.due_at,
      outcome: 'started',
      execution_status: 'completed',
      execution_error: null,
    })
    expect(ended.recent).toEqual([
      {
        ...run,
        due_at: schedule.last_run.due_at,
        kind: 'scheduled',
        outcome: 'completed',
        tries: 1,
        error: null,
      },
    ])
  })

  test('it reports how its executions ended, and lists the newest twelve', async () => {
    const failing = await server.save([prompt('only', 'fail INVALID_STEP')])
    const { body } = await add({ flow_id: failing, context: { content: 'x' } })
    const id: string = body.schedule_id
    for (const round of [1, 2, 3]) {
      await letCome(id, round - 4)
      await eventually(async () => (await server.call(pathOf(id))).body.runs.failed === round, 200)
    }
    await server.database.query(
      `
        insert into engine_schedule_times (schedule_id, due_at, outcome, tries)
        select $1, now() - number * interval '1 day', 'not_started', 2 from generate_series(1, 20) as number
      `,
      [id],
    )
    const { body: schedule } = await server.call(pathOf(id))
    expect(schedule).toMatchObject({
      counts: { started: 3, skipped: 0, failed: 0 },
      last_run: {
        outcome: 'started',
        execution_status: 'failed',
        execution_error: { message: expect.any(String) },
      },
      runs: {
        completed: 0,
        failed: 3,
        cancelled: 0,
        running: 0,
        skipped: 0,
        not_started: 20,
        failed_tries: 40,
      },
    })
    expect(schedule.recent).toHaveLength(23)
    expect(schedule.recent[0]).toMatchObject({ outcome: 'failed', error: schedule.last_run.execution_error })
    const { body: list } = await server.call(`/schedules?flow_id=${failing}`)
    expect(list.schedules[0].recent).toEqual(schedule.recent.slice(0, 12))
    expect(list.schedules[0].runs).toEqual(schedule.runs)
  })

  test('it reports why nothing could be started', async () => {
    const gone = await server.save([prompt('only', 'Done')])
    const { body } = await add({ flow_id: gone })
    await server.engine.flows.remove(gone)
    await letCome(body.schedule_id)
    await eventually(async () => (await server.call(pathOf(body.schedule_id))).body.last_error !== null, 200)
    const { body: schedule } = await server.call(pathOf(body.schedule_id))
    expect(schedule).toMatchObject({
      enabled: true,
      last_run: { outcome: 'failed' },
      last_error: { code: 'FLOW_NOT_FOUND', message: `There is no flow "${gone}".` },
      counts: { failed: 1 },
    })
  })

  test('it is changed in parts, and omitted fields stay', async () => {
    // Each test with many writes has its own account: one may write ten times a second.
    const { body } = await add({ context: { content: 'a' }, options: { max_execution_time: '5m' } }, 'mara')
    const change = (part: object) =>
      server.call(pathOf(body.schedule_id), { as: 'mara', method: 'PATCH', body: part })
    const changed = await change({ cron: '30 6 * * *', timezone: 'Asia/Tokyo', label: 'Early' })
    expect(changed.body.schedule).toMatchObject({
      label: 'Early',
      cron: '30 6 * * *',
      context: { content: 'a' },
      options: { max_execution_time: '5m' },
    })
    expect(changed.body.schedule.next_runs[0].local_time).toMatch(/T06:30:00\+09:00$/)
    const batch = {
      content_batch: ['x', 'y'],
      processing_rules: { batch_size: 2, parallel_processing: false },
    }
    expect((await change({ context: batch })).body.schedule).toMatchObject({
      context: batch,
      options: { max_execution_time: '5m' },
    })
    expect((await change({ options: { priority: 'low' } })).body.schedule).toMatchObject({
      context: batch,
      options: {},
      priority: 'low',
    })
    expect((await change({ enabled: false })).body.schedule).toMatchObject({
      status: 'paused',
      next_run_at: null,
      next_runs: [],
    })
    expect((await change({ enabled: true, ends_at: 1 })).body.schedule.status).toBe('ended')
  })

  test('it runs now on request, once for one key', async () => {
    const { body } = await add({ enabled: false })
    const headers = { 'idempotency-key': `once, ${body.schedule_id}` }
    const first = await server.call(`${pathOf(body.schedule_id)}/run`, { method: 'POST', headers })
    expect(first.status).toBe(202)
    expect(first.body).toMatchObject({ success: true, schedule_id: body.schedule_id })
    const again = await server.call(`${pathOf(body.schedule_id)}/run`, { method: 'POST', headers })
    expect(again.body.execution_id).toBe(first.body.execution_id)
    const other = await server.call(`${pathOf(body.schedule_id)}/run`, { method: 'POST' })
    expect(other.body.execution_id).not.toBe(first.body.execution_id)
    await eventually(
      async () => (await server.call(`/executions/${first.body.execution_id}`)).body.status === 'completed',
      200,
    )
  })

  test('a repeated request creates no second one', async () => {
    const body = { flow_id: flow, cron: '0 1 * * *' }
    const headers = { 'idempotency-key': 'made' }
    const first = await server.post('/schedules', body, { headers })
    const second = await server.post('/schedules', body, { headers })
    expect(second.body.schedule_id).toBe(first.body.schedule_id)
  })

  test('it is deleted', async () => {
    const { body } = await add({}, 'otto')
    const remove = () => server.call(pathOf(body.schedule_id), { as: 'otto', method: 'DELETE' })
    expect((await remove()).body).toEqual({ success: true, schedule_id: body.schedule_id, status: 'deleted' })
    expect((await remove()).body.error.code).toBe('SCHEDULE_NOT_FOUND')
  })

  test('those of other accounts are not found, except by workflow managers', async () => {
    const { body } = await add({ label: 'Nora’s' })
    for (const method of ['GET', 'DELETE'])
      expect((await server.call(pathOf(body.schedule_id), { as: 'otto', method })).status).toBe(404)
    const change = { method: 'PATCH', body: { label: 'Otto’s' } }
    expect((await server.call(pathOf(body.schedule_id), { as: 'otto', ...change })).status).toBe(404)
    expect(
      (await server.call(`${pathOf(body.schedule_id)}/run`, { as: 'otto', method: 'POST' })).status,
    ).toBe(404)
    expect((await server.call(pathOf(body.schedule_id), { as: 'mara' })).body.label).toBe('Nora’s')
    expect((await server.call(pathOf(body.schedule_id), { as: 'vera' })).status).toBe(403)
    expect((await server.call('/schedules', { as: 'anonymous' })).status).toBe(401)
  })

  test('a list has own ones, and all for workflow managers', async () => {
    const list = async (as: string, query = '') => (await server.call(`/schedules${query}`, { as })).body
    const mine = await list('otto')
    for (const { schedule_id } of mine.schedules)
      await server.call(pathOf(schedule_id), { as: 'otto', method: 'DELETE' })
    await add({ label: 'Otto’s' }, 'otto')
    const own = await list('otto')
    expect(own.schedules[0].next_runs).toHaveLength(1)
    expect(own.schedules.map(({ label }: { label: string }) => label)).toEqual(['Otto’s'])
    expect(own.total).toBe(1)
    expect((await list('mara')).total).toBeGreaterThan(1)
    expect((await list('mara', `?account=${server.idOf('otto')}`)).total).toBe(1)
    expect((await list('otto', '?enabled=false')).total).toBe(0)
    expect((await server.call(`/schedules?account=${server.idOf('nora')}`, { as: 'otto' })).status).toBe(403)
  })

  test.each([
    [{ cron: '61 * * * *' }, 400, /cron: The field for the minute, "61", is not valid.*For example/],
    [{ cron: '* * * *' }, 400, /cron: "\* \* \* \*" has 4 fields/],
    [{ cron: '*/5 * * * * *' }, 400, /comes 5 seconds after the time before; the least is 10/],
    [{ cron: '0 0 31 2 *' }, 400, /never comes/],
    [{ timezone: 'Mars/Olympus' }, 400, /timezone: "Mars\/Olympus" is no time zone/],
    [{ starts_at: 20, ends_at: 10 }, 400, /ends_at: must be later than starts_at/],
    [{ flow_id: 'nothing' }, 404, /no flow "nothing"/],
    [{ flow_version: 99 }, 404, /has no version 99/],
    [{ overlap: 'pile' }, 400, /overlap/],
    [{ colour: 'red' }, 400, /colour/],
    [{ options: { max_execution_time: 'soon' } }, 400, /max_execution_time/],
  ])('%j is refused with the reason', async (part, status, message) => {
    const answer = await server.post('/schedules', { flow_id: flow, cron: '0 9 * * *', ...part })
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toMatch(message)
  })

  test('an invalid id is not found', async () => {
    expect((await server.call('/schedules/nothing')).body.error.code).toBe('SCHEDULE_NOT_FOUND')
  })
})

describe('a preview', () => {
  let server: WorkflowsServer

  beforeAll(async () => {
    server = await startWorkflowsServer()
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('returns the next times, through a change of clocks', async () => {
    const { status, body } = await server.post('/schedules/preview', {
      cron: '30 2 * * *',
      timezone: 'America/New_York',
      starts_at: Date.UTC(2099, 2, 7, 12) / 1000,
    })
    expect(status).toBe(200)
    expect(body.next_runs.map(({ local_time }: { local_time: string }) => local_time)).toEqual([
      '2099-03-08T03:00:00-04:00',
      '2099-03-09T02:30:00-04:00',
      '2099-03-10T02:30:00-04:00',
      '2099-03-11T02:30:00-04:00',
      '2099-03-12T02:30:00-04:00',
    ])
  })

  test('returns the requested number, in UTC by default', async () => {
    const { body } = await server.post('/schedules/preview', { cron: '0 0 1 1 *', count: 2 })
    expect(body).toMatchObject({ cron: '0 0 1 1 *', timezone: 'UTC' })
    expect(body.next_runs).toHaveLength(2)
  })

  test('reports an invalid expression', async () => {
    const { status, body } = await server.post('/schedules/preview', {
      cron: '0 24 * * *',
      timezone: 'Nowhere',
    })
    expect(status).toBe(400)
    expect(body.error.details.problems.map(({ path }: { path: string }) => path)).toEqual([
      'cron',
      'timezone',
    ])
  })
})
