import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dueExecutionId } from '../../src/engine/schedules/run-due.ts'
import { timesKept } from '../../src/engine/schedules/schedule-times.ts'
import { eventually } from '../support/eventually.ts'
import { openScheduleScene, type ScheduleScene } from './engine-schedules-setting.ts'

const hourMs = 3_600_000

async function timesOf({ schedules }: ScheduleScene, id: string) {
  return (await schedules.lastTimes([id])).get(id) ?? []
}

/** Makes a schedule due, and waits until the time has been handled. */
async function come(scene: ScheduleScene, id: string, agoMs = 0): Promise<Date> {
  const at = await scene.letCome(id, agoMs)
  await eventually(async () => (await scene.schedules.read(id))?.last.at?.getTime() === at.getTime())
  return at
}

function failExecutions({ database }: ScheduleScene) {
  return database.query(`
    update engine_executions
    set status = 'failed', work_state = 'finished', finished_at = now(), facts = '{"duration_ms": 1500}',
      error = '{"code": "STEP_FAILED", "message": "The API responded with status 500."}'
    where work_state <> 'finished'
  `)
}

describe.concurrent('the last times of a schedule', () => {
  test('have the outcomes of their executions, newest first', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.work()
    for (const hours of [8, 7, 6, 5, 4, 3, 2, 1]) {
      await come(scene, id, hours * hourMs)
      await failExecutions(scene)
    }
    const last = await come(scene, id)
    const times = await timesOf(scene, id)
    expect(times.map(({ outcome }) => outcome)).toEqual([
      'queued',
      ...Array.from({ length: 8 }, () => 'failed'),
    ])
    expect(times[0]).toMatchObject({
      dueAt: last,
      kind: 'scheduled',
      executionId: dueExecutionId(id, last),
      error: null,
      durationMs: null,
      tries: 1,
    })
    expect(times[1]).toMatchObject({
      error: { code: 'STEP_FAILED', message: 'The API responded with status 500.' },
      durationMs: 1500,
    })
    await scene.endExecutions()
    expect((await timesOf(scene, id))[0]?.outcome).toBe('completed')
  })

  test('count the failed attempts of each time', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    let attempts = 0
    await scene.work((_execution, start) => {
      attempts += 1
      if (attempts === 2) throw new Error('not just now')
      return start()
    })
    for (const hours of [2, 1, 0]) {
      await come(scene, id, hours * hourMs)
      await scene.endExecutions()
    }
    expect((await timesOf(scene, id)).map(({ tries }) => tries)).toEqual([1, 2, 1])
    expect(await scene.executions()).toHaveLength(3)
  })

  test('have one entry, with two attempts, when a worker died after the start', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.work(async (_execution, start) => {
      await start()
      throw new Error('the process is gone')
    })
    const at = await come(scene, id)
    expect(await timesOf(scene, id)).toMatchObject([
      { outcome: 'queued', executionId: dueExecutionId(id, at), tries: 2 },
    ])
    expect(await scene.executions()).toHaveLength(1)
  })

  test('do not count checks for the previous execution as attempts', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({ overlap: 'queue' })
    await scene.work()
    await come(scene, id, hourMs)
    const at = await scene.letCome(id)
    await eventually(async () => {
      const [row] = await scene.database.query<{ waits: boolean }>(
        `select work_due_at > next_at and work_state = 'queued' and work_fence > 1 as waits from engine_schedules`,
      )
      return row?.waits
    })
    await scene.endExecutions()
    await eventually(async () => (await scene.schedules.read(id))?.last.at?.getTime() === at.getTime())
    expect((await timesOf(scene, id)).map(({ tries }) => tries)).toEqual([1, 1])
  })

  test('say why nothing was started', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.work()
    await come(scene, id, 3 * hourMs)
    await come(scene, id, 2 * hourMs)
    await scene.endExecutions()
    await scene.database.query(`update engine_flows set deleted_at = now()`)
    await come(scene, id, hourMs)
    scene.accountStatus = 'disabled'
    await come(scene, id)
    expect(await timesOf(scene, id)).toMatchObject([
      { outcome: 'not_started', executionId: null, error: { code: 'account_disabled' } },
      { outcome: 'not_started', error: { code: 'flow_not_found' } },
      { outcome: 'skipped', executionId: null, error: null },
      { outcome: 'completed' },
    ])
  })

  test('remain when an execution was deleted', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.work()
    await come(scene, id)
    await scene.database.query('delete from engine_executions')
    expect(await timesOf(scene, id)).toMatchObject([{ outcome: 'expired', durationMs: null }])
  })

  test('are bounded', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add()
    await scene.database.query(
      `
        insert into engine_schedule_times (schedule_id, due_at, outcome)
        select $1, now() - number * interval '1 day', 'skipped' from generate_series(1, 120) as number
      `,
      [id],
    )
    await scene.work()
    await come(scene, id)
    expect(await timesOf(scene, id)).toHaveLength(timesKept)
    const rows = await scene.database.query('select 1 from engine_schedule_times')
    expect(rows.length).toBeLessThanOrEqual(timesKept + 1)
  })

  test('include manual runs once, and are deleted with the schedule', async () => {
    await using scene = await openScheduleScene()
    const id = await scene.add({ enabled: false })
    const schedule = await scene.schedules.read(id)
    if (schedule === undefined) throw new Error('no schedule')
    const executionId = randomUUID()
    await scene.schedules.run(schedule, executionId)
    await scene.schedules.run(schedule, executionId)
    expect(await timesOf(scene, id)).toMatchObject([{ kind: 'manual', outcome: 'queued', executionId }])
    await scene.schedules.remove(id)
    expect(await scene.database.query('select 1 from engine_schedule_times')).toHaveLength(0)
    // The schedule was deleted after the caller had read it.
    await scene.schedules.run(schedule, randomUUID())
    expect(await timesOf(scene, id)).toEqual([])
  })
})
