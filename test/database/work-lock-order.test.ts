import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { addChores, openChoreScene } from './work-setting.ts'

test('a worker that stops locks the rows that it requeues in the order of their keys', async () => {
  await using scene = await openChoreScene()
  const { database } = scene
  const worker = await scene.startWorker(async () => {})
  const [first, second] = await addChores(database, ['first', 'second'], { delayMs: 3_600_000 })
  // In the order in which the rows are stored now, the second one comes first.
  for (const id of [second, first]) {
    await database.query(`update chores set work_state = 'running', work_worker = $1 where id = $2`, [
      worker.id,
      id,
    ])
  }
  let stopped: Promise<void> | undefined
  await database.withSession(async (session) => {
    await session.query('begin')
    await session.query('select from chores where id = $1 for no key update', [first])
    stopped = worker.stop()
    await eventually(async () => {
      const [row] = await database.query<{ isBlocked: boolean }>(`
        select exists (
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
        ) as "isBlocked"
      `)
      return row?.isBlocked
    })
    const free = 'select from chores where id = $1 for no key update skip locked'
    expect(await session.query(free, [second])).toHaveLength(1)
    await session.query('rollback')
  })
  await stopped
  expect(await database.query('select work_state from chores')).toEqual([
    { work_state: 'queued' },
    { work_state: 'queued' },
  ])
})
