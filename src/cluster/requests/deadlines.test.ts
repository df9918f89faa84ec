import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { Deadlines, type Timed } from './deadlines.ts'

interface TestTimed extends Timed {
  /** Resolves with the time until the limit ended. */
  readonly ended: Promise<number>
}

function timed(): TestTimed {
  const begunMs = performance.now()
  const { promise, resolve } = Promise.withResolvers<number>()
  return { dueTick: 0, index: -1, ended: promise, timeIsUp: () => resolve(performance.now() - begunMs) }
}

/** Timers may fire up to a millisecond early. */
const roundingMs = 1

describe('a time limit', () => {
  test('never ends early, regardless of its length', async () => {
    using deadlines = new Deadlines({ tickMs: 5 })
    const limits = [1, 4, 5, 6, 23, 40]
    const all = limits.map((limitMs) => {
      const item = timed()
      deadlines.start(item, limitMs)
      return item.ended
    })
    for (const [index, tookMs] of (await Promise.all(all)).entries()) {
      expect(tookMs).toBeGreaterThanOrEqual((limits[index] ?? 0) - roundingMs)
    }
  })

  test('does not end early when it starts in the middle of a tick', async () => {
    using deadlines = new Deadlines({ tickMs: 40 })
    deadlines.start(timed(), 1000)
    await new Promise((resolve) => setTimeout(resolve, 25))
    const item = timed()
    deadlines.start(item, 40)
    expect(await item.ended).toBeGreaterThanOrEqual(40 - roundingMs)
  })

  test('starts anew on a restart, and never ends once it is stopped', async () => {
    using deadlines = new Deadlines({ tickMs: 5 })
    const stopped = timed()
    const restarted = timed()
    const short = timed()
    const after = timed()
    for (const item of [stopped, restarted, short, after]) deadlines.start(item, 20)
    deadlines.stop(stopped)
    deadlines.stop(stopped)
    deadlines.restart(restarted, 60)
    deadlines.start(after, 40)
    const order: string[] = []
    void stopped.ended.then(() => order.push('stopped'))
    void short.ended.then(() => order.push('short'))
    void after.ended.then(() => order.push('after'))
    expect(await restarted.ended).toBeGreaterThanOrEqual(60 - roundingMs)
    expect(order).toEqual(['short', 'after'])
  })

  test('can stop other limits when it ends', async () => {
    using deadlines = new Deadlines({ tickMs: 5 })
    const other = timed()
    const first: Timed = { dueTick: 0, index: -1, timeIsUp: () => deadlines.stop(other) }
    const last = timed()
    deadlines.start(first, 5)
    deadlines.start(other, 5)
    deadlines.start(last, 5)
    const ended: string[] = []
    void other.ended.then(() => ended.push('other'))
    await last.ended
    expect(ended).toEqual([])
  })

  test('can be started again after all limits have ended', async () => {
    using deadlines = new Deadlines({ tickMs: 5 })
    for (let round = 0; round < 3; round++) {
      const item = timed()
      deadlines.start(item, 1)
      await item.ended
    }
  })
})
