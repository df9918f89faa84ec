import { expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { createAmountCounter } from '../../src/kernel/limits/amount-counter.ts'
import { openLimitsScene } from './limits-setting.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const rule = { limit: 100, windowSeconds: 3600 }

test('amounts of all replicas count, and may exceed the limit', async () => {
  await using scene = await openLimitsScene()
  const { database } = scene
  const [one, other] = [createAmountCounter({ database, log }), createAmountCounter({ database, log })]
  expect(await one.read('key', rule)).toMatchObject({ limit: 100, remaining: 100 })
  await Promise.all([one.add('key', 3600, 30), other.add('key', 3600, 40), one.add('other', 3600, 99)])
  expect(await one.read('key', rule)).toMatchObject({ remaining: 30 })
  expect(await other.read('key', rule)).toMatchObject({ remaining: 30 })
  await other.add('key', 3600, 5000)
  const { remaining, secondsLeft } = await one.read('key', rule)
  expect(remaining).toBe(0)
  expect(secondsLeft).toBeGreaterThan(3500)
})

test('a read includes amounts that this replica is still adding', async () => {
  await using scene = await openLimitsScene()
  const counter = createAmountCounter({ database: scene.database, log })
  const added = counter.add('key', 3600, 30)
  expect(await counter.read('key', rule)).toMatchObject({ remaining: 70 })
  await added
})

test('a limit that is used up needs no statement until it changes or its window ends', async () => {
  await using scene = await openLimitsScene()
  let statements = 0
  const database = {
    ...scene.database,
    query: ((text: string, values?: readonly unknown[]) => {
      statements += 1
      return scene.database.query(text, values)
    }) as typeof scene.database.query,
  }
  const counter = createAmountCounter({ database, log })
  await counter.add('key', 3600, 100)
  await counter.read('key', rule)
  const before = statements
  for (let round = 0; round < 10; round += 1) {
    expect((await counter.read('key', rule)).remaining).toBe(0)
  }
  expect(statements).toBe(before)
  expect((await counter.read('key', { ...rule, limit: 150 })).remaining).toBe(50)
  await scene.database.query(`update kernel_limits set ends_at = now() - interval '1 s'`)
  const fresh = createAmountCounter({ database: scene.database, log })
  expect((await fresh.read('key', rule)).remaining).toBe(100)
  await fresh.add('key', 3600, 7)
  expect((await fresh.read('key', rule)).remaining).toBe(93)
})

test('a count stays within the range of its column', async () => {
  await using scene = await openLimitsScene()
  const counter = createAmountCounter({ database: scene.database, log })
  await counter.add('key', 3600, 5_000_000_000)
  await counter.add('key', 3600, 5_000_000_000)
  expect((await counter.read('key', { limit: 2 ** 31 - 1, windowSeconds: 3600 })).remaining).toBe(0)
})
