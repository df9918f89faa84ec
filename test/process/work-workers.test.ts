import { describe, test, vi } from 'vitest'
import { chores } from '../database/work-chores.ts'
import {
  addChores,
  type ChoreScene,
  openChoreScene,
  patiently,
  readChore,
  untilState,
} from '../database/work-setting.ts'
import {
  beginWork,
  hastiest,
  readStarts,
  startIdleWorker,
  startWorker,
  tell,
} from './work-workers-setting.ts'

/** The chores that wait to be told. */
function readWaiting({ database }: ChoreScene): Promise<unknown[]> {
  return database.query(
    `select from chore_starts join chores on chores.id = chore where label = 'told' and work_state = 'running'`,
  )
}

describe.concurrent('workers in processes of their own', () => {
  test('share 500 rows without claiming one twice', async ({ expect }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const workers = await Promise.all([startWorker(scene), startWorker(scene)])
    // One worker alone has no slots for those that wait, so that the other one gets some of them, however late it is.
    const labels = Array.from({ length: 250 }, (_, index) => (index < 20 ? 'told' : 'quick'))
    await Promise.all([addChores(database, labels), addChores(database, labels)])
    await vi.waitFor(async () => expect(await readWaiting(scene)).toHaveLength(40), patiently)
    for (const worker of workers) tell(worker)
    await vi.waitFor(async () => {
      const [row] = await database.query<{ count: number }>(
        `select count(*) from chores where work_state = 'finished' and work_attempts = 1 and result is not null`,
      )
      expect(row?.count).toBe(500)
    }, patiently)
    const starts = await readStarts(scene)
    expect(new Set(starts.map((start) => start.chore)).size).toBe(500)
    expect(starts).toHaveLength(500)
    expect(new Set(starts.map((start) => start.worker)).size).toBe(2)
  })

  test('take over the rows of a killed one, and never revive finished or cancelled ones', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const options = { timing: hastiest }
    const [killed, other] = await Promise.all([startWorker(scene, options), startIdleWorker(scene, options)])
    const [quick, cancelled = 0, held = 0] = await addChores(database, ['quick', 'told', 'hold'])
    await untilState(database, quick, 'finished')
    await killed.waitForLine(new RegExp(`^holding ${cancelled}`))
    await killed.waitForLine(new RegExp(`^holding ${held}`))
    await chores.cancel(database, cancelled, { result: 'cancelled' })
    const before = [await readChore(database, quick), await readChore(database, cancelled)]
    await killed.kill('SIGKILL')
    await beginWork(other)
    await other.waitForLine(new RegExp(`^holding ${held}`))
    expect([await readChore(database, quick), await readChore(database, cancelled)]).toEqual(before)
    expect(await database.query('select * from kernel_workers')).toHaveLength(1)
  })

  test('finish everything while the server repeatedly ends their connections', async ({ expect }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const timing = { pollMs: 200 }
    await Promise.all([startWorker(scene, { timing }), startWorker(scene, { timing })])
    for (let round = 0; round < 5; round++) {
      await addChores(
        database,
        Array.from({ length: 60 }, () => 'quick'),
      )
      await database.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      `)
    }
    await vi.waitFor(async () => {
      const [row] = await database.query<{ count: number }>(
        `select count(*) from chores where work_state <> 'finished'`,
      )
      expect(row?.count).toBe(0)
    }, patiently)
    expect(await database.query('select * from kernel_workers')).toHaveLength(2)
  })
})
