import { setTimeout as delay } from 'node:timers/promises'
import { describe, test, vi } from 'vitest'
import type { WorkerTiming } from '#kernel/work'
import { openSeverableLink } from '../database/events-severable-link.ts'
import { chores } from '../database/work-chores.ts'
import {
  addChores,
  type ChoreScene,
  openChoreScene,
  patiently,
  readChore,
  untilState,
} from '../database/work-setting.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'

const file = new URL('./work-worker-process.ts', import.meta.url)

/** Short enough to see a worker declared dead without waiting ten seconds for it. */
const hasty: Partial<WorkerTiming> = { heartbeatMs: 400, deadAfterMs: 5000, pollMs: 300 }

interface ProcessOptions {
  readonly timing?: Partial<WorkerTiming>
  /** Another way to the same database. */
  readonly url?: string
}

/** Starts a process that is ready to work and waits for `beginWork`. */
async function startIdleWorker(
  scene: ChoreScene,
  { timing = {}, url }: ProcessOptions = {},
): Promise<RunningProcess> {
  const env = {
    DATABASE_URL: url ?? scene.database.url,
    WORKER_TIMING: JSON.stringify(timing),
  }
  const worker = scene.use(await startProcess({ file, env }))
  await worker.waitForLine(/^loaded/)
  return worker
}

async function beginWork(worker: RunningProcess): Promise<void> {
  process.kill(worker.pid, 'SIGUSR2')
  await worker.waitForLine(/^ready/)
}

async function startWorker(scene: ChoreScene, options?: ProcessOptions): Promise<RunningProcess> {
  const worker = await startIdleWorker(scene, options)
  await beginWork(worker)
  return worker
}

interface Start {
  readonly chore: number
  readonly fence: number
  readonly worker: string
  readonly started_at: Date
}

function readStarts({ database }: ChoreScene, chore?: number): Promise<Start[]> {
  return database.query<Start>(
    'select * from chore_starts where $1::bigint is null or chore = $1 order by started_at',
    [chore ?? null],
  )
}

const secondsBetween = (from: Date, to: Date | undefined) =>
  ((to?.getTime() ?? Number.NaN) - from.getTime()) / 1000

async function databaseTime({ database }: ChoreScene): Promise<Date> {
  const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  return row?.now ?? new Date(Number.NaN)
}

async function lastHeartbeat({ database }: ChoreScene): Promise<Date> {
  const [row] = await database.query<{ at: Date }>('select max(heartbeat_at) as at from kernel_workers')
  return row?.at ?? new Date(Number.NaN)
}

/** Eleven seconds on a machine that has nothing else to do. */
const handOverSeconds = 30
const handOverMs = 1000 * handOverSeconds

// Sixteen processes start at the same time, which took most of a minute on a busy machine.
describe.concurrent('workers in processes of their own', { timeout: 300_000 }, () => {
  test('share 500 rows without claiming one twice', async ({ expect }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    await Promise.all([startWorker(scene), startWorker(scene)])
    // One worker alone has no slots for the slow ones, so that the other one gets some of them, however late it is.
    const labels = Array.from({ length: 250 }, (_, index) => (index < 20 ? 'late 8000' : 'quick'))
    await Promise.all([addChores(database, labels), addChores(database, labels)])
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

  test('take over the rows of a frozen one after ten seconds of silence, and refuse its later writes', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const [frozen, other] = await Promise.all([startWorker(scene), startIdleWorker(scene)])
    const [id = 0] = await addChores(database, ['late 8000'])
    await frozen.waitForLine(/^holding/)
    process.kill(frozen.pid, 'SIGSTOP')
    const silentSince = await lastHeartbeat(scene)
    await beginWork(other)
    await other.waitForLine(/^holding/, handOverMs)
    const [, second] = await readStarts(scene, id)
    expect(secondsBetween(silentSince, second?.started_at)).toBeGreaterThanOrEqual(10)
    expect(secondsBetween(silentSince, second?.started_at)).toBeLessThan(handOverSeconds)
    await other.waitForLine(/^finished/)

    process.kill(frozen.pid, 'SIGCONT')
    expect(await frozen.waitForLine(/^refused/)).toBe(`refused ${id} fenced`)
    expect(await readChore(database, id)).toMatchObject({ result: `by ${other.pid}`, work_fence: 3 })
    // It comes back under another id and works on.
    await vi.waitFor(async () => {
      expect(await database.query('select * from kernel_workers')).toHaveLength(2)
    }, patiently)
  })

  test('take over the rows of a killed one, and never revive finished or cancelled ones', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const [killed, other] = await Promise.all([startWorker(scene), startIdleWorker(scene)])
    const [quick, cancelled = 0, held = 0] = await addChores(database, ['quick', 'late 60000', 'hold'])
    await untilState(database, quick, 'finished')
    await killed.waitForLine(new RegExp(`^holding ${cancelled}`))
    await killed.waitForLine(new RegExp(`^holding ${held}`))
    await beginWork(other)
    await chores.cancel(database, cancelled, { result: 'cancelled' })
    const before = [await readChore(database, quick), await readChore(database, cancelled)]
    await killed.kill('SIGKILL')
    const killedAt = await databaseTime(scene)
    await other.waitForLine(new RegExp(`^holding ${held}`), handOverMs)
    const [, second] = await readStarts(scene, held)
    expect(secondsBetween(killedAt, second?.started_at)).toBeLessThan(handOverSeconds)
    expect([await readChore(database, quick), await readChore(database, cancelled)]).toEqual(before)
    expect(await database.query('select * from kernel_workers')).toHaveLength(1)
  })

  test('keep the rows of one whose main loop is blocked briefly', async ({ expect }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const timing = { ...hasty, deadAfterMs: 9000 }
    const [blocked, other] = await Promise.all([
      startWorker(scene, { timing }),
      startIdleWorker(scene, { timing }),
    ])
    const [id] = await addChores(database, ['busy 12000'])
    await blocked.waitForLine(/^holding/)
    await beginWork(other)
    expect(await blocked.waitForLine(/^(finished|refused)/)).toBe(`finished ${id}`)
    expect(await readStarts(scene)).toHaveLength(1)
  })

  test('take over the rows of one whose main loop hangs', async ({ expect }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const timing = { ...hasty, hungAfterMs: 1000 }
    const [hung, other] = await Promise.all([
      startWorker(scene, { timing }),
      startIdleWorker(scene, { timing }),
    ])
    const [id] = await addChores(database, ['busy 25000'])
    await hung.waitForLine(/^holding/)
    await beginWork(other)
    expect(await other.waitForLine(/^(finished|refused)/)).toBe(`finished ${id}`)
    expect(await hung.waitForLine(/^(finished|refused)/)).toBe(`refused ${id} fenced`)
  })

  test('take over at once from one that stops cleanly', async ({ expect }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const [stopping, other] = await Promise.all([startWorker(scene), startIdleWorker(scene)])
    const [id] = await addChores(database, ['hold'])
    await stopping.waitForLine(/^holding/)
    await beginWork(other)
    expect(await stopping.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    await other.waitForLine(/^holding/)
    // The attempt of a worker that was declared dead would count.
    expect(await readChore(database, id)).toMatchObject({ work_attempts: 1 })
  })

  test('keep their claims when the database was unavailable for longer than the lease', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const link = scene.use(await openSeverableLink(scene.database.url))
    const options = { url: link.url, timing: hasty }
    const [holding, other] = await Promise.all([startWorker(scene, options), startIdleWorker(scene, options)])
    const [id] = await addChores(scene.database, ['late 20000'])
    await holding.waitForLine(/^holding/)
    await beginWork(other)
    link.sever()
    await delay(7000)
    link.mend()
    expect(await holding.waitForLine(/^(finished|refused)/)).toBe(`finished ${id}`)
    expect(await readStarts(scene)).toHaveLength(1)
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
