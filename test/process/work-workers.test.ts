import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, test, vi } from 'vitest'
import { countHangs, type WorkerTiming } from '#kernel/work'
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
const hasty = { heartbeatMs: 400, deadAfterMs: 5000, pollMs: 300 }

/** Where no worker that is only slow can be declared dead, because the other one does not look for dead workers. */
const hastiest = { heartbeatMs: 400, deadAfterMs: 2000, pollMs: 100 }

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

/** A chore that blocks the main loop of its worker until the test ends it. */
async function createBlock() {
  const folder = await mkdtemp(join(tmpdir(), 'block-'))
  const path = join(folder, 'over')
  return {
    label: `busy ${path}`,
    end: () => writeFile(path, ''),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** Lets it finish the chores that wait to be told, now and later. */
function tell(worker: RunningProcess): void {
  process.kill(worker.pid, 'SIGUSR1')
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

/** The chores that wait to be told. */
function readWaiting({ database }: ChoreScene): Promise<unknown[]> {
  return database.query(
    `select from chore_starts join chores on chores.id = chore where label = 'told' and work_state = 'running'`,
  )
}

/** The workers with a heartbeat two seconds or more after this time. */
function readAlive({ database }: ChoreScene, since: string): Promise<unknown[]> {
  return database.query(
    `select from kernel_workers where heartbeat_at > $1::timestamptz + interval '2 seconds'`,
    [since],
  )
}

const secondsBetween = (from: Date, to: Date | undefined) =>
  ((to?.getTime() ?? Number.NaN) - from.getTime()) / 1000

async function lastHeartbeat({ database }: ChoreScene): Promise<Date> {
  const [row] = await database.query<{ at: Date }>('select max(heartbeat_at) as at from kernel_workers')
  return row?.at ?? new Date(Number.NaN)
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

  test('take over the rows of a frozen one after ten seconds of silence, and refuse its later writes', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const { database } = scene
    const [frozen, other] = await Promise.all([startWorker(scene), startIdleWorker(scene)])
    const [id = 0] = await addChores(database, ['told'])
    await frozen.waitForLine(/^holding/)
    process.kill(frozen.pid, 'SIGSTOP')
    const silentSince = await lastHeartbeat(scene)
    await beginWork(other)
    await other.waitForLine(/^holding/)
    const [, second] = await readStarts(scene, id)
    expect(secondsBetween(silentSince, second?.started_at)).toBeGreaterThanOrEqual(10)
    tell(other)
    await other.waitForLine(/^finished/)

    process.kill(frozen.pid, 'SIGCONT')
    tell(frozen)
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

  test('keep the rows of one whose main loop is blocked briefly', async ({ expect }) => {
    await using scene = await openChoreScene()
    const options = { timing: hasty }
    const [blocked, other] = await Promise.all([startWorker(scene, options), startIdleWorker(scene, options)])
    await using block = await createBlock()
    const [id] = await addChores(scene.database, [block.label])
    await blocked.waitForLine(/^holding/)
    await beginWork(other)
    await delay(hasty.deadAfterMs + 2000)
    await block.end()
    expect(await blocked.waitForLine(/^(finished|refused)/)).toBe(`finished ${id}`)
    expect(await readStarts(scene)).toHaveLength(1)
  })

  test('take over the rows of one whose main loop hangs, and record which row it worked on', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const options = { timing: { ...hastiest, hungAfterMs: 1000 } }
    const [hung, other] = await Promise.all([startWorker(scene, options), startIdleWorker(scene, options)])
    await using block = await createBlock()
    const [id = 0] = await addChores(scene.database, [block.label])
    await hung.waitForLine(/^holding/)
    await beginWork(other)
    expect(await other.waitForLine(/^(finished|refused)/)).toBe(`finished ${id}`)
    expect(await countHangs(scene.database, chores, id)).toBe(1)
    await block.end()
    expect(await hung.waitForLine(/^(finished|refused)/)).toBe(`refused ${id} fenced`)
  })

  test('keep their claims when the database was unavailable for longer than the lease', async ({
    expect,
  }) => {
    await using scene = await openChoreScene()
    const link = scene.use(await openSeverableLink(scene.database.url))
    const options = { url: link.url, timing: hasty }
    const [holding, other] = await Promise.all([startWorker(scene, options), startIdleWorker(scene, options)])
    const [id] = await addChores(scene.database, ['told'])
    await holding.waitForLine(/^holding/)
    await beginWork(other)
    link.sever()
    await delay(hasty.deadAfterMs + 2000)
    link.mend()
    // Both have looked for dead workers several times since.
    const [{ since } = { since: '' }] = await scene.database.query<{ since: string }>(
      `select now()::text as since`,
    )
    await vi.waitFor(async () => expect(await readAlive(scene, since)).toHaveLength(2), patiently)
    tell(holding)
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
