import { expect, test } from 'vitest'
import { ConcurrencyLimit, maxConcurrency } from './concurrency.ts'

const nothing = { slots: null, running: null, waiting: null }

test('a node without a report has no limit', () => {
  const limit = new ConcurrencyLimit()
  expect(limit.value).toBeNull()
  limit.observe(nothing)
  expect(limit.value).toBeNull()
})

test('slots are the limit', () => {
  const limit = new ConcurrencyLimit()
  limit.observe({ ...nothing, slots: 4 })
  expect(limit.value).toBe(4)
  limit.observe(nothing)
  expect(limit.value).toBeNull()
})

test('a node with a queue of its own is limited to what it processes, and grows by a quarter without one', () => {
  const limit = new ConcurrencyLimit()
  limit.observe({ slots: null, running: 30, waiting: 0 })
  expect(limit.value).toBeNull()
  limit.observe({ slots: null, running: 16, waiting: 9 })
  expect(limit.value).toBe(16)
  limit.observe({ slots: null, running: 16, waiting: 0 })
  expect(limit.value).toBe(20)
  limit.observe({ slots: 18, running: 20, waiting: 0 })
  expect(limit.value).toBe(18)
})

test('a wrong report stays within bounds', () => {
  const limit = new ConcurrencyLimit()
  limit.observe({ slots: null, running: 0, waiting: 5 })
  expect(limit.value).toBe(1)
  limit.observe({ slots: null, running: 1e15, waiting: 1 })
  expect(limit.value).toBe(maxConcurrency)
  limit.observe({ slots: null, running: 1, waiting: 0 })
  expect(limit.value).toBe(maxConcurrency)
})
