import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { engineFailure } from '../../src/engine/errors.ts'
import { dueExecutionId } from '../../src/engine/schedules/run-due.ts'
import { eventually } from '../support/eventually.ts'
import { openScheduleScene, type ScheduleScene } from './engine-schedules-setting.ts'

const hourMs = 3_600_000

/** Waits until a due time has been handled, and returns the schedule. */
async function dealtWith({ schedules }: ScheduleScene, id: string, at: Date) {
  await eventually(async () => (await schedules.read(id))?.last.at?.getTime() === at.getTime())
  const schedule = await schedules.read(id)
  if (schedule === undefined) throw new Error(`no schedule ${id}`)
  return schedule
}

describe.concurrent('a schedule that is due', () => {
  test('starts one execution, and waits for its next time', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({
      priority: 'high',
      input: { context: { content: 'Hello.' }, options: {}, memory: {} },
    })
    const at = await scene.letCome(id)
    await scene.work()
    const { last, counts, nextAt } = await dealtWith(scene, id, at)
    expect(last).toMatchObject({ outcome: 'started', executionId: dueExecutionId(id, at), error: null })
    expect(counts).toEqual({ started: 1, skipped: 0, failed: 0 })
    expect(nextAt?.getTime()).toBeGreaterThan(Date.now())
    expect(await scene.executions()).toMatchObject([
      {
        id: dueExecutionId(id, at),
        flow_version: 2,
        account_id: scene.accountId,
        schedule_id: id,
        priority: 'high',
        approval: null,
        input: { context: { content: 'Hello.' } },
      },
    ])
  })

  test('runs once for all missed times', async () => {
    await using scene = await openScheduleScene()
    // Four times that were missed; the next one is most of a day ahead.
    const hours = [1, 2, 3, 4].map((ago) => new Date(Date.now() - ago * hourMs).getUTCHours())
    const id = await scene.add({ cron: `0 ${hours.join()} * * *` })
    const at = await scene.letCome(id, 5 * hourMs)
    await scene.work()
    const { nextAt } = await dealtWith(scene, id, at)
    expect(await scene.executions()).toHaveLength(1)
    expect(nextAt?.getTime()).toBeGreaterThan(Date.now())
  })

  test('starts nothing twice when its worker died before recording the start', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const at = await scene.letCome(id)
    let times = 0
    await scene.work(async (_execution, start) => {
      await start()
      times += 1
      throw new Error('the process is gone')
    })
    const { last, counts } = await dealtWith(scene, id, at)
    expect(times).toBe(1)
    expect(last.outcome).toBe('started')
    expect(counts.started).toBe(1)
    expect(await scene.executions()).toHaveLength(1)
  })

  test('starts nothing twice when two workers believe they lease it', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const at = await scene.letCome(id)
    const ids: string[] = []
    await scene.work(async (execution, start) => {
      ids.push(execution.id)
      if (ids.length > 1) return start()
      // Simulates a worker without heartbeats: the row gets another claim before this one has started.
      await scene.database.query(
        `update engine_schedules set work_state = 'queued', work_worker = null, work_fence = work_fence + 1`,
      )
      await dealtWith(scene, id, at)
      return start()
    })
    const { counts } = await dealtWith(scene, id, at)
    await eventually(async () => ids.length === 2)
    expect(ids).toEqual([dueExecutionId(id, at), dueExecutionId(id, at)])
    expect(counts.started).toBe(1)
    expect(await scene.executions()).toHaveLength(1)
  })

  test('retries the same time when a temporary error prevented the start', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const at = await scene.letCome(id)
    let times = 0
    await scene.work(async (_execution, start) => {
      times += 1
      if (times === 1) throw new Error('not just now')
      return start()
    })
    await dealtWith(scene, id, at)
    expect(await scene.executions()).toMatchObject([{ id: dueExecutionId(id, at) }])
  })

  test('waits with a time while the queue is full, without counting it as an attempt', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const at = await scene.letCome(id)
    let isFull = true
    await scene.work(async (_execution, start) => {
      if (isFull) throw engineFailure('queue_full')
      return start()
    })
    const waiting = await eventually(async () => {
      const [row] = await scene.database.query<{ attempts: number; error: unknown }>(
        `
          select work_attempts as attempts, last_error as error from engine_schedules
          where work_state = 'queued' and work_fence > 1 and work_due_at > now()
        `,
      )
      return row
    })
    expect(waiting).toEqual({ attempts: 0, error: null })
    isFull = false
    await scene.database.query('update engine_schedules set work_due_at = now()')
    await dealtWith(scene, id, at)
    expect(await scene.executions()).toMatchObject([{ id: dueExecutionId(id, at) }])
  })

  test('skips a time while the previous execution is unfinished', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({ overlap: 'skip' })
    const first = await scene.letCome(id, hourMs)
    await scene.work()
    await dealtWith(scene, id, first)
    const second = await scene.letCome(id)
    const { last, counts, nextAt } = await dealtWith(scene, id, second)
    expect(last).toMatchObject({ outcome: 'skipped', executionId: dueExecutionId(id, first) })
    expect(counts).toEqual({ started: 1, skipped: 1, failed: 0 })
    expect(nextAt).not.toBeNull()
    expect(await scene.executions()).toHaveLength(1)
  })

  test('with `queue` delays a time until the previous execution has finished', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({ overlap: 'queue' })
    const first = await scene.letCome(id, hourMs)
    let looks = 0
    await scene.work((_execution, start) => {
      looks += 1
      return start()
    })
    await dealtWith(scene, id, first)
    const second = await scene.letCome(id)
    await eventually(async () => {
      const [row] = await scene.database.query<{ waits: boolean }>(
        `select work_due_at > next_at and work_state = 'queued' and work_fence > 1 as waits from engine_schedules`,
      )
      return row?.waits
    })
    expect(await scene.executions()).toHaveLength(1)
    await scene.endExecutions()
    const { last, counts } = await dealtWith(scene, id, second)
    expect(last.executionId).toBe(dueExecutionId(id, second))
    expect(counts).toEqual({ started: 2, skipped: 0, failed: 0 })
    expect(looks).toBe(2)
  })

  test('stores why it could not start, and continues', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.database.query(`update engine_flows set deleted_at = now()`)
    const first = await scene.letCome(id, hourMs)
    await scene.work()
    const failed = await dealtWith(scene, id, first)
    expect(failed.last).toMatchObject({
      outcome: 'failed',
      error: { code: 'flow_not_found', message: 'There is no flow "report".' },
    })
    expect(failed.enabled).toBe(true)
    expect(failed.nextAt).not.toBeNull()
    await scene.database.query(`update engine_flows set deleted_at = null`)
    const second = await scene.letCome(id)
    const mended = await dealtWith(scene, id, second)
    expect(mended.last).toMatchObject({ outcome: 'started', error: null })
    expect(mended.counts).toEqual({ started: 1, skipped: 0, failed: 1 })
  })

  test.each([
    ['unknown', 'account_deleted'],
    ['disabled', 'account_disabled'],
  ] as const)('stops when its account is %s', async (accountStatus, code) => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    scene.accountStatus = accountStatus
    const at = await scene.letCome(id)
    await scene.work()
    const schedule = await dealtWith(scene, id, at)
    expect(schedule).toMatchObject({
      enabled: false,
      nextAt: null,
      last: { outcome: 'failed', error: { code } },
    })
    expect(await scene.executions()).toHaveLength(0)
  })

  test('continues when its account lacks the permission, which may come back', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    scene.accountStatus = 'not_permitted'
    const at = await scene.letCome(id)
    await scene.work()
    const { enabled, nextAt, last } = await dealtWith(scene, id, at)
    expect(last.error?.code).toBe('permission_denied')
    expect(enabled).toBe(true)
    expect(nextAt).not.toBeNull()
    expect(await scene.executions()).toHaveLength(0)
  })

  test('ends after the last time of its window', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({ endsAt: new Date(Date.now() + 1000), cron: '0 0 1 1 *', startsAt: null })
    expect((await scene.schedules.read(id))?.nextAt).toBeNull()
    const at = await scene.letCome(id)
    await scene.work()
    expect(await dealtWith(scene, id, at)).toMatchObject({
      enabled: true,
      nextAt: null,
      last: { outcome: 'started' },
    })
    const [row] = await scene.database.query<{ work_state: string }>(
      'select work_state from engine_schedules',
    )
    expect(row?.work_state).toBe('finished')
  })

  test('runs the version it names, and waits for approval where the flow requires it', async () => {
    await using scene = await openScheduleScene()
    await scene.database.query(
      `update engine_flow_versions set metadata = '{"approval_required": true}' where version = 1`,
    )
    const id = await scene.add({ flowVersion: 1 })
    const at = await scene.letCome(id)
    await scene.work()
    await dealtWith(scene, id, at)
    expect(await scene.executions()).toMatchObject([{ flow_version: 1, approval: 'pending' }])
  })

  test('is handled by one of several workers', async () => {
    await using scene = await openScheduleScene()
    const ids = await Promise.all(Array.from({ length: 8 }, () => scene.add()))
    const times = await Promise.all(ids.map((id) => scene.letCome(id)))
    await Promise.all([scene.work(), scene.work()])
    await Promise.all(ids.map((id, index) => dealtWith(scene, id, times[index] ?? new Date(0))))
    expect(await scene.executions()).toHaveLength(8)
  })
})

describe.concurrent('changing a schedule', () => {
  test('recomputes its times from the new expression', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const changed = await scene.schedules.change(id, {
      cron: '0 0 1 1 *',
      timezone: 'Asia/Tokyo',
      label: 'New year',
    })
    expect(changed?.label).toBe('New year')
    expect(changed?.nextAt?.toISOString()).toMatch(/-12-31T15:00:00\.000Z$/)
  })

  test('keeps a pending time when the label changes', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const at = await scene.letCome(id, hourMs)
    expect((await scene.schedules.change(id, { label: 'The same' }))?.nextAt).toEqual(at)
  })

  test('does not run while disabled, and skips the missed times when enabled', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.letCome(id, hourMs)
    expect(await scene.schedules.change(id, { enabled: false })).toMatchObject({
      enabled: false,
      nextAt: null,
    })
    await scene.work()
    const on = await scene.schedules.change(id, { enabled: true })
    expect(on?.nextAt?.getTime()).toBeGreaterThan(Date.now())
    expect(await scene.executions()).toHaveLength(0)
  })

  test('disabled while a worker has leased it, it is not due again', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const at = await scene.letCome(id)
    await scene.work(async (_execution, start) => {
      await scene.schedules.change(id, { enabled: false })
      return start()
    })
    expect(await dealtWith(scene, id, at)).toMatchObject({ enabled: false, nextAt: null })
  })

  test('deleted while a worker has leased it, it is gone', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.letCome(id)
    await scene.work(async (_execution, start) => {
      await start()
      return scene.schedules.remove(id)
    })
    await eventually(async () => (await scene.schedules.read(id)) === undefined)
    expect(await scene.executions()).toHaveLength(1)
    expect(await scene.schedules.remove(id)).toBe(false)
  })

  test.each([
    [{ cron: '61 * * * *' }, 'cron', /minute, "61"/],
    [{ timezone: 'Mars/Olympus' }, 'timezone', /no time zone/],
    [{ startsAt: new Date(2000), endsAt: new Date(1000) }, 'ends_at', /later than starts_at/],
  ])('%j is refused, and the schedule stays unchanged', async (change, path, message) => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    const before = await scene.schedules.read(id)
    await expect(scene.schedules.change(id, change)).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [{ path, message: expect.stringMatching(message) as string }],
    })
    expect(await scene.schedules.read(id)).toEqual(before)
  })

  test('an unknown flow or version is refused', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await expect(scene.schedules.change(id, { flowId: 'nothing' })).rejects.toMatchObject({
      code: 'flow_not_found',
    })
    await expect(scene.schedules.change(id, { flowVersion: 7 })).rejects.toMatchObject({
      code: 'flow_not_found',
    })
    await expect(scene.add({ flowId: 'nothing' })).rejects.toMatchObject({ code: 'flow_not_found' })
  })
})

describe.concurrent('other operations', () => {
  test('a manual run starts at once, whatever is running', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({ enabled: false })
    const schedule = await scene.schedules.read(id)
    if (schedule === undefined) throw new Error('no schedule')
    const started = [randomUUID(), randomUUID()]
    for (const executionId of started) await scene.schedules.run(schedule, executionId)
    const executions = await scene.executions()
    expect(executions.map((execution) => execution.id).toSorted()).toEqual(started.toSorted())
    expect(executions.every((execution) => execution.schedule_id === id)).toBe(true)
    scene.accountStatus = 'disabled'
    await expect(scene.schedules.run(schedule, randomUUID())).rejects.toMatchObject({
      code: 'schedule_account',
    })
  })

  test('lists the schedules of one account or of all, the oldest first', async () => {
    await using scene = await openScheduleScene()
    const first = await scene.add({ label: 'first' })
    const second = await scene.add({ label: 'second', enabled: false })
    const other = randomUUID()
    await scene.schedules.create(scene.settings({ label: 'other' }), {
      accountId: other,
      createdBy: scene.accountId,
    })
    const labels = async (filter: object) => {
      const { schedules, total } = await scene.schedules.list({
        accountId: null,
        limit: 50,
        offset: 0,
        ...filter,
      })
      return [schedules.map(({ label }) => label), total]
    }
    expect(await labels({})).toEqual([['first', 'second', 'other'], 3])
    expect(await labels({ accountId: scene.accountId })).toEqual([['first', 'second'], 2])
    expect(await labels({ enabled: false })).toEqual([['second'], 1])
    expect(await labels({ flowId: 'nothing' })).toEqual([[], 0])
    expect(await labels({ limit: 1, offset: 1 })).toEqual([['second'], 3])
    expect(first < second).toBe(true)
  })

  test('an account may have at most 200', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.database.query(
      `
        insert into engine_schedules (id, flow_id, account_id, cron, timezone, input, next_at)
        select gen_random_uuid(), flow_id, account_id, cron, timezone, input, next_at
        from engine_schedules, generate_series(1, 199) where id = $1
      `,
      [id],
    )
    await expect(scene.add()).rejects.toMatchObject({ code: 'too_many_schedules' })
  })
})
