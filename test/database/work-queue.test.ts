import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '#kernel/database'
import { databaseNow } from '#kernel/work'
import { chores } from './work-chores.ts'
import { addChores, openChoreScene, patiently, readChore, untilState } from './work-setting.ts'

describe.concurrent('a worker and its queue', () => {
  test('runs an added row and stores its outcome', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const worker = await scene.startWorker(async (claim) => {
      expect(claim).toMatchObject({
        key: 1,
        fence: 1,
        attempt: 1,
        workerId: worker.id,
        row: { label: 'wash' },
      })
      await chores.finish(database, claim, { result: 'clean' })
    })
    const [id] = await addChores(database, ['wash'])
    await untilState(database, id, 'finished')
    expect(await readChore(database, id)).toMatchObject({ result: 'clean', work_worker: null, work_fence: 1 })
    await worker.check()
  })

  test('starts with the highest priority, then with the earliest due time', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    await addChores(database, ['low, late'], { priority: -1 })
    await addChores(database, ['normal, second'], { delayMs: -1000 })
    await addChores(database, ['normal, first'], { delayMs: -2000 })
    await addChores(database, ['urgent'], { priority: 10 })
    await addChores(database, ['not due'], { priority: 20, delayMs: 60_000 })
    const order: string[] = []
    await scene.startWorker(
      async (claim) => {
        order.push(claim.row.label)
        await chores.finish(database, claim)
      },
      { concurrency: 1 },
    )
    await vi.waitFor(() => expect(order).toHaveLength(4), patiently)
    expect(order).toEqual(['urgent', 'normal, first', 'normal, second', 'low, late'])
  })

  test('leases no more rows than it has slots', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    let active = 0
    let most = 0
    let done = 0
    await addChores(
      database,
      Array.from({ length: 60 }, () => 'one of many'),
    )
    await scene.startWorker(
      async (claim) => {
        active += 1
        most = Math.max(most, active)
        await delay(2)
        await chores.finish(database, claim)
        active -= 1
        done += 1
      },
      { concurrency: 7 },
    )
    await vi.waitFor(() => expect(done).toBe(60), patiently)
    expect(most).toBe(7)
  })

  test('keeps a tenth of its slots for owners who use less than that', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const started: string[] = []
    const release = Promise.withResolvers<void>()
    await addChores(
      database,
      Array.from({ length: 100 }, () => 'greedy'),
      { delayMs: -1000 },
    )
    const worker = await scene.startWorker(
      async (claim) => {
        started.push(claim.row.label)
        if (claim.row.label === 'greedy') await release.promise
        await chores.finish(database, claim)
      },
      { concurrency: 20, sharedBy: 'label' },
    )
    await vi.waitFor(() => expect(started).toHaveLength(18), patiently)
    const modest = await addChores(database, ['modest', 'modest', 'modest', 'modest', 'modest'])
    for (const id of modest) await untilState(database, id, 'finished')
    expect(started.filter((label) => label === 'greedy')).toHaveLength(18)
    release.resolve()
    await vi.waitFor(() => expect(started).toHaveLength(105), patiently)
    await worker.check()
  })

  test('keeps one of two slots for owners without a row', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const started: string[] = []
    const release = Promise.withResolvers<void>()
    await addChores(database, ['greedy', 'greedy', 'greedy'], { delayMs: -1000 })
    await scene.startWorker(
      async (claim) => {
        started.push(claim.row.label)
        if (claim.row.label === 'greedy') await release.promise
        await chores.finish(database, claim)
      },
      { concurrency: 2, sharedBy: 'label' },
    )
    await vi.waitFor(() => expect(started).toEqual(['greedy']), patiently)
    for (const id of await addChores(database, ['one', 'another'])) await untilState(database, id, 'finished')
    expect(started.filter((label) => label === 'greedy')).toHaveLength(1)
    release.resolve()
    await vi.waitFor(() => expect(started).toHaveLength(5), patiently)
  })

  test('gives slots that become free together to owners with few rows, before the backlog of another', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const started: string[] = []
    const releaseHalf = Promise.withResolvers<void>()
    const releaseAll = Promise.withResolvers<void>()
    await addChores(
      database,
      Array.from({ length: 40 }, () => 'greedy'),
      { delayMs: -1000 },
    )
    await scene.startWorker(
      async (claim) => {
        const isEarly = started.push(claim.row.label) <= 10
        if (!isEarly) await releaseAll.promise
        await chores.finish(database, claim)
        // Finished above, so that their slots become free in the same turn of the event loop.
        if (isEarly) await releaseHalf.promise
      },
      { concurrency: 20, sharedBy: 'label', timing: { pollMs: 60_000 } },
    )
    await vi.waitFor(() => expect(started).toHaveLength(18), patiently)
    const names = Array.from({ length: 12 }, (_, index) => `newcomer ${index}`)
    await addChores(database, names)
    await vi.waitFor(() => expect(started).toHaveLength(20), patiently)
    await vi.waitFor(async () => expect(await countFinished(database)).toBe(10), patiently)
    releaseHalf.resolve()
    await vi.waitFor(() => expect(started).toHaveLength(30), patiently)
    expect(started.slice(18).toSorted()).toEqual(names.toSorted())
    releaseAll.resolve()
    await vi.waitFor(() => expect(started).toHaveLength(52), patiently)
  })

  test('leaves a released row until it is due, and takes it then without waiting for the poll', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const starts: number[] = []
    await scene.startWorker(
      async (claim) => {
        starts.push(performance.now())
        if (claim.attempt === 1) {
          await chores.release(database, claim, { delayMs: 300, set: { result: 'half' } })
        } else await chores.finish(database, claim)
      },
      { timing: { pollMs: 60_000 } },
    )
    const [id] = await addChores(database, ['twice'])
    await untilState(database, id, 'finished')
    const [first = 0, second = 0] = starts
    expect(second - first).toBeGreaterThanOrEqual(295)
    expect(await readChore(database, id)).toMatchObject({ result: 'half', work_attempts: 2, work_fence: 2 })
  })

  test('releases a row when its handler throws, and when it returns without finishing', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    await scene.startWorker(
      async (claim) => {
        if (claim.attempt === 1 && claim.row.label === 'throws') throw new Error('broken')
        if (claim.attempt === 1) return
        await chores.finish(database, claim)
      },
      { timing: { pollMs: 100 } },
    )
    const ids = await addChores(database, ['throws', 'forgets'])
    for (const id of ids) {
      await untilState(database, id, 'finished')
      expect(await readChore(database, id)).toMatchObject({ work_attempts: 2 })
    }
  })

  test('refuses writes for an expired claim', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const outcomes: unknown[] = []
    await scene.startWorker(async (claim) => {
      await chores.finish(database, claim, { result: 'first' })
      for (const write of [
        () => chores.finish(database, claim, { result: 'second' }),
        () => chores.release(database, claim, { set: { result: 'second' } }),
        () => chores.update(database, claim, { result: 'second' }),
      ]) {
        outcomes.push(await write().catch((error: unknown) => error))
      }
    })
    const [id] = await addChores(database, ['once'])
    await vi.waitFor(() => expect(outcomes).toHaveLength(3), patiently)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 'fenced', retryable: false })
    expect(await readChore(database, id)).toMatchObject({ result: 'first', work_state: 'finished' })
  })

  test('rolls back everything a fenced handler wrote in the same transaction', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    await database.query('create table results (chore bigint)')
    let outcome: unknown
    await scene.startWorker(async (claim) => {
      await database.query('update chores set work_fence = work_fence + 1 where id = $1', [claim.key])
      outcome = await database
        .transaction(async (transaction) => {
          await transaction
            .withTables<{ results: { chore: number } }>()
            .insertInto('results')
            .values({ chore: claim.row.id })
            .execute()
          await chores.finish(transaction, claim, { result: databaseNow })
        })
        .catch((error: unknown) => error)
    })
    await addChores(database, ['late'])
    await vi.waitFor(() => expect(outcome).toMatchObject({ code: 'fenced' }), patiently)
    expect(await database.query('select * from results')).toEqual([])
  })

  test('stops a running row that is cancelled, and does not start a queued one', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const aborted: unknown[] = []
    let started = 0
    await scene.startWorker(
      async ({ signal }) => {
        started += 1
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted.push(signal.reason)
        signal.throwIfAborted()
      },
      { concurrency: 1, timing: { pollMs: 60_000 } },
    )
    const [running, queued] = await addChores(database, ['running', 'queued'])
    await vi.waitFor(() => expect(started).toBe(1), patiently)
    expect(await chores.cancel(database, queued ?? 0, { result: 'cancelled' })).toBe(true)
    expect(await chores.cancel(database, running ?? 0, { result: 'cancelled' })).toBe(true)
    await vi.waitFor(() => expect(aborted).toMatchObject([{ code: 'fenced' }]), patiently)
    expect(await chores.cancel(database, running ?? 0)).toBe(false)
    for (const id of [running, queued]) {
      expect(await readChore(database, id)).toMatchObject({ work_state: 'finished', result: 'cancelled' })
    }
    expect(started).toBe(1)
  })

  test('aborts a claim that was lost silently', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    let reason: unknown
    await scene.startWorker(
      async ({ key, signal }) => {
        // Listens first: the event may arrive before the response to the update.
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
        await database.query('update chores set work_fence = work_fence + 1 where id = $1', [key])
        await aborted
        reason = signal.reason
      },
      { timing: { pollMs: 50 } },
    )
    await addChores(database, ['stolen'])
    await vi.waitFor(() => expect(reason).toMatchObject({ code: 'fenced' }), patiently)
  })

  test('restarts a finished row on request', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    let runs = 0
    await scene.startWorker(async (claim) => {
      runs += 1
      expect(claim.attempt).toBe(1)
      await chores.finish(database, claim)
    })
    const [id = 0] = await addChores(database, ['again'])
    await untilState(database, id, 'finished')
    expect(await chores.requeue(database, id, { set: { result: 'recovering' } })).toBe(true)
    await vi.waitFor(() => expect(runs).toBe(2), patiently)
    await untilState(database, id, 'finished')
  })

  test('releases unfinished work at once when it stops, without counting the attempt', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    let abortedWith: unknown
    const first = await scene.startWorker(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      abortedWith = signal.reason
      signal.throwIfAborted()
    })
    const [id] = await addChores(database, ['handed back'])
    await untilState(database, id, 'running')
    await first.stop()
    expect(abortedWith).toMatchObject({ code: 'shutting_down' })
    expect(await readChore(database, id)).toMatchObject({
      work_state: 'queued',
      work_worker: null,
      work_attempts: 0,
      work_fence: 2,
    })
    expect(await database.query('select * from kernel_workers')).toEqual([])
    await scene.startWorker((claim) => chores.finish(database, claim))
    await untilState(database, id, 'finished')
  })

  test('lets running work end within the shutdown deadline', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    let started = 0
    const worker = await scene.startWorker(async (claim) => {
      started += 1
      await delay(150)
      await chores.finish(database, claim)
    })
    const [id] = await addChores(database, ['nearly done'])
    await vi.waitFor(() => expect(started).toBe(1), patiently)
    // Longer than the timeout of a test: it must not wait until the deadline.
    await worker.stop({ graceMs: 300_000 })
    expect((await readChore(database, id)).work_state).toBe('finished')
  })
})

async function countFinished(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::integer as count from chores where work_state = 'finished'`,
  )
  return row?.count ?? 0
}
