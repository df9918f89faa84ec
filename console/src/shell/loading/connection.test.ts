import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnection } from './connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds)

/** A platform that can stop, return, and serve another build. */
function setUp() {
  const platform = { answers: true, isOtherBuild: false }
  const pings: number[] = []
  let backs = 0
  const hopes = new Set<() => void>()
  const connection = createConnection({
    ping: () => {
      pings.push(Date.now())
      return Promise.resolve(platform.answers)
    },
    isOtherBuild: () =>
      platform.answers ? Promise.resolve(platform.isOtherBuild) : Promise.reject(new Error('away')),
    reloadStyles: () => Promise.resolve(),
    onBack: () => {
      backs += 1
    },
    onHope: (listener) => {
      hopes.add(listener)
      return () => hopes.delete(listener)
    },
  })
  const hope = () => {
    for (const listener of hopes) listener()
  }
  return { platform, connection, pings, backs: () => backs, hope }
}

test('a failed request alone does not mean that the platform is away', async () => {
  const { connection, pings, backs } = setUp()
  connection.report(false)
  await settle(60_000)
  expect(connection.read().isAway).toBe(false)
  expect(pings.length).toBe(1)
  expect(backs()).toBe(0)
})

test('pings with growing pauses until the platform responds, and reports the return once', async () => {
  const { platform, connection, pings, backs } = setUp()
  platform.answers = false
  const began = Date.now()
  connection.report(false)
  connection.report(false)
  await settle()
  expect(connection.read().isAway).toBe(true)
  await settle(40_000)
  expect(pings.map((at) => at - began)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 30_500])
  platform.answers = true
  await settle(15_000)
  expect(connection.read()).toEqual({ isAway: false, reload: undefined })
  expect(backs()).toBe(1)
})

test('pings at once when the device is online again', async () => {
  const { platform, connection, hope } = setUp()
  platform.answers = false
  connection.report(false)
  await settle(10_000)
  platform.answers = true
  hope()
  await settle()
  expect(connection.read().isAway).toBe(false)
})

test('an answered request ends the absence', async () => {
  const { platform, connection, pings, backs } = setUp()
  platform.answers = false
  connection.report(false)
  await settle()
  connection.report(true)
  await settle(60_000)
  expect(connection.read().isAway).toBe(false)
  expect(backs()).toBe(1)
  expect(pings.length).toBe(1)
})

test('after the return, another build has to be loaded', async () => {
  const { platform, connection } = setUp()
  platform.answers = false
  connection.report(false)
  await settle()
  Object.assign(platform, { answers: true, isOtherBuild: true })
  await settle(500)
  expect(connection.read()).toEqual({ isAway: false, reload: 'upgraded' })
})

test('tells an upgrade from a file that is blocked, and neither from a platform that is away', async () => {
  const { platform, connection } = setUp()
  platform.answers = false
  expect(await connection.findReload()).toBe(undefined)
  platform.answers = true
  expect(await connection.findReload()).toBe('blocked')
  platform.isOtherBuild = true
  expect(await connection.findReload()).toBe('upgraded')
})

test('notifies subscribers of each change, until they unsubscribe', async () => {
  const { platform, connection } = setUp()
  const seen: boolean[] = []
  const stop = connection.subscribe(() => seen.push(connection.read().isAway))
  platform.answers = false
  connection.report(false)
  await settle()
  platform.answers = true
  await settle(500)
  expect(seen).toEqual([true, false])
  stop()
  platform.answers = false
  connection.report(false)
  await settle()
  expect(seen).toEqual([true, false])
})
