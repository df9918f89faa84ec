import { expect, test } from 'vitest'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { openSeverableLink } from './events-severable-link.ts'
import { connectAgain, countAllowed, openLimitsScene, takeTimes } from './limits-setting.ts'

test('a thousand requests cost some fifty statements, and refusing a thousand more costs none', async () => {
  await using scene = await openLimitsScene()
  const replica = scene.startReplica()
  const rule = { limit: 1000, windowSeconds: 3600 }
  expect(countAllowed(await takeTimes(replica, 1000, rule))).toBe(1000)
  expect(replica.statements()).toBeLessThanOrEqual(60)
  await takeTimes(replica, 1, rule)
  const before = replica.statements()
  expect(countAllowed(await takeTimes(replica, 1000, rule))).toBe(0)
  expect(replica.statements()).toBe(before)
})

test('a single request costs one statement, and leases one more at most', async () => {
  await using scene = await openLimitsScene()
  const replica = scene.startReplica()
  await takeTimes(replica, 1, { limit: 100, windowSeconds: 60 })
  expect(replica.statements()).toBe(1)
  expect(await scene.database.query('select used from kernel_limits')).toEqual([{ used: 2 }])
})

test('the next permits are requested before the last one is used', async () => {
  await using scene = await openLimitsScene()
  await takeTimes(scene.startReplica(), 4, { limit: 100, windowSeconds: 60 })
  await eventually(async () => {
    const [row] = await scene.database.query<{ used: number }>('select used from kernel_limits')
    return row?.used === 8
  })
})

test('a burst of one caller, and a burst of many, need a few statements', async () => {
  await using scene = await openLimitsScene()
  const [one, many] = [scene.startReplica(), scene.startReplica()]
  const rule = { limit: 400, windowSeconds: 60 }
  const burst = await Promise.all(Array.from({ length: 400 }, () => one.limiter.take('one', rule)))
  expect(countAllowed(burst)).toBe(400)
  expect(one.statements()).toBeLessThanOrEqual(2)
  const concurrent = await Promise.all(
    Array.from({ length: 400 }, (_, index) => many.limiter.take(`of many ${index}`, rule)),
  )
  expect(countAllowed(concurrent)).toBe(400)
  expect(many.statements()).toBeLessThanOrEqual(5)
})

test('the number of cached keys is bounded, and evicting one takes nothing from its owner', async () => {
  await using scene = await openLimitsScene()
  const replica = scene.startReplica({ maxKeys: 20 })
  const rule = { limit: 60, windowSeconds: 3600 }
  let admitted = 0
  for (let round = 0; round < 12; round += 1) {
    admitted += countAllowed(await takeTimes(replica, 3, rule, 'regular'))
    for (let stranger = 0; stranger < 24; stranger += 1) {
      await replica.limiter.take(`stranger ${round} ${stranger}`, rule)
    }
  }
  expect(admitted).toBe(36)
  expect(await replica.metrics.render()).toMatch(/^tutti_limits_keys (20|1[5-9])$/m)
  await eventually(async () => (await replica.limiter.peek('regular', rule)).remaining === 60 - 36)
})

test('while the database is unavailable leased permits are admitted, then an error is returned, and then it recovers', async () => {
  await using scene = await openLimitsScene()
  await using link = await openSeverableLink(scene.database.url)
  await using through = await connectAgain(link.url, {
    DATABASE_CONNECT_WAIT: `${Math.ceil(2000 * patience)}ms`,
  })
  const replica = scene.startReplica({ database: through })
  const rule = { limit: 100, windowSeconds: 3600 }
  const before = countAllowed(await takeTimes(replica, 20, rule))
  link.sever()
  let leased = 0
  const refusal = await (async () => {
    for (; leased < 100; leased += 1) await replica.limiter.take('someone', rule)
    return undefined
  })().catch((error: unknown) => error)
  expect(refusal).toSatisfy(isDatabaseUnavailable)
  expect(leased).toBeGreaterThan(0)
  await expect(replica.limiter.take('stranger', rule)).rejects.toSatisfy(isDatabaseUnavailable)
  link.mend()
  await expect.poll(() => answers(through)).toBe(true)
  const after = countAllowed(await takeTimes(replica, 100, rule))
  const total = before + leased + after
  expect(total).toBeLessThanOrEqual(100)
  // A lease whose response was lost stays counted.
  expect(total).toBeGreaterThanOrEqual(60)
})

function answers(database: Database): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  )
}

test('admitted and refused requests are in the metrics', async () => {
  await using scene = await openLimitsScene()
  const replica = scene.startReplica()
  await takeTimes(replica, 5, { limit: 3, windowSeconds: 3600 })
  const text = await replica.metrics.render()
  expect(text).toContain('tutti_limits_taken_total{outcome="allowed"} 3')
  expect(text).toContain('tutti_limits_taken_total{outcome="refused"} 2')
  expect(text).toMatch(/^tutti_limits_questions_total [34]$/m)
})
