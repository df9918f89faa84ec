import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { QueueRegistration, Worker } from '#kernel/work'
import { type Chore, chores } from './work-chores.ts'
import {
  addChores,
  type ChoreScene,
  openChoreScene,
  patiently,
  readChore,
  untilState,
} from './work-setting.ts'

/** Adds a chore that the worker runs locally at once. */
async function runLocally(
  { database }: ChoreScene,
  worker: Worker,
  key: number,
  { pauseMs = 0, label = 'own' } = {},
): Promise<void> {
  await worker.runLocally(chores, {
    row: { id: key, label } as Chore,
    key,
    async add({ workerId, fence }) {
      await delay(pauseMs)
      await database.query(
        `
          insert into chores (id, label, work_state, work_worker, work_fence, work_attempts)
          overriding system value values ($1, $4, 'running', $2, $3, 1)
        `,
        [key, workerId, fence, label],
      )
    },
  })
}

describe.concurrent('a row that a worker adds for itself', () => {
  test('runs at once, and only there', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const own = await scene.startWorker(async (claim) => {
      expect(claim).toMatchObject({ key: 7, fence: 1, attempt: 1, workerId: own.id, row: { label: 'own' } })
      await chores.finish(database, claim, { result: 'by itself' })
    })
    await scene.startWorker(async (claim) => chores.finish(database, claim, { result: 'by another' }))
    await runLocally(scene, own, 7)
    await untilState(database, 7, 'finished')
    expect(await readChore(database, 7)).toMatchObject({ result: 'by itself', work_fence: 1 })
  })

  test('is not considered lost while it is being added, however long that takes', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const handle: QueueRegistration<Chore>['handle'] = async (claim) => {
      claim.signal.throwIfAborted()
      await chores.finish(database, claim, { result: 'done' })
    }
    const worker = await scene.startWorker(handle, { timing: { pollMs: 100 } })
    // Longer than two checks of its claims.
    await runLocally(scene, worker, 7, { pauseMs: 500 })
    await untilState(database, 7, 'finished')
    expect(await readChore(database, 7)).toMatchObject({ result: 'done', work_attempts: 1 })
  })

  test('does not run when it cannot be added', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    let begun = 0
    const worker = await scene.startWorker(async (claim) => {
      begun += 1
      await chores.finish(database, claim)
    })
    await runLocally(scene, worker, 7)
    await untilState(database, 7, 'finished')
    await expect(runLocally(scene, worker, 7)).rejects.toThrow(/duplicate key/)
    expect(begun).toBe(1)
  })

  test('goes to another worker when its own stops', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const begun = Promise.withResolvers<void>()
    const own = await scene.startWorker(async ({ signal }) => {
      begun.resolve()
      await delay(60_000, undefined, { signal })
    })
    await runLocally(scene, own, 7)
    await begun.promise
    await scene.startWorker(async (claim) => chores.finish(database, claim, { result: 'by another' }))
    await own.stop()
    await untilState(database, 7, 'finished')
    expect(await readChore(database, 7)).toMatchObject({ result: 'by another', work_fence: 3 })
  })

  test('takes no slot from the rows of the queue, and has its own limit', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const open = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const worker = await scene.startWorker(
      async (claim) => {
        if (claim.row.label === 'own') await open.promise
        else begun.resolve()
        await chores.finish(database, claim, { result: 'done' })
      },
      { concurrency: 2, localConcurrency: 4 },
    )
    const local = [101, 102, 103, 104]
    for (const key of local) await runLocally(scene, worker, key)
    const [queued] = await addChores(database, ['queued'])
    await begun.promise
    await untilState(database, queued, 'finished')
    await expect(runLocally(scene, worker, 105)).rejects.toMatchObject({
      code: 'no_local_slot',
      details: { queue: 'chores', limit: 4 },
    })
    expect(await database.query('select 1 from chores where id = 105')).toEqual([])
    open.resolve()
    for (const key of local) await untilState(database, key, 'finished')
    await vi.waitFor(() => runLocally(scene, worker, 105), patiently)
    await untilState(database, 105, 'finished')
  })

  test('leaves a tenth of the local slots, at least one, to owners who use less than that', async () => {
    await using scene = await openChoreScene()
    const { database } = scene
    const release = Promise.withResolvers<void>()
    const worker = await scene.startWorker(
      async (claim) => {
        await release.promise
        await chores.finish(database, claim)
      },
      { concurrency: 4, localConcurrency: 4, sharedBy: 'label' },
    )
    const runFor = (label: string, key: number) => runLocally(scene, worker, key, { label })
    for (const key of [1, 2, 3]) await runFor('greedy', key)
    await expect(runFor('greedy', 4)).rejects.toMatchObject({ code: 'no_local_slot' })
    await runFor('modest', 5)
    for (const label of ['greedy', 'modest', 'newcomer'])
      await expect(runFor(label, 6)).rejects.toMatchObject({ code: 'no_local_slot' })
    release.resolve()
    for (const key of [1, 2, 3, 5]) await untilState(database, key, 'finished')
    await vi.waitFor(() => runFor('greedy', 7), patiently)
  })

  test('is refused once the worker stops', async () => {
    await using scene = await openChoreScene()
    const worker = await scene.startWorker(async () => {})
    await worker.stop()
    await expect(runLocally(scene, worker, 7)).rejects.toThrow(/shutting down|stop/i)
  })
})
