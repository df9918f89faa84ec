import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, test, vi } from 'vitest'
import { countHangs } from '#kernel/work'
import { openSeverableLink } from '../database/events-severable-link.ts'
import { chores } from '../database/work-chores.ts'
import { addChores, type ChoreScene, openChoreScene, patiently, readChore } from '../database/work-setting.ts'
import {
  beginWork,
  hastiest,
  readStarts,
  startIdleWorker,
  startWorker,
  tell,
} from './work-workers-setting.ts'

/** Short enough to see a worker declared dead without waiting ten seconds for it. */
const hasty = { heartbeatMs: 400, deadAfterMs: 5000, pollMs: 300 }

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

describe.concurrent('workers that are silent without being dead', () => {
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
})
