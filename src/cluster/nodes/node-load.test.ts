import { expect, test } from 'vitest'
import { createExpectedWait } from './node-load.ts'

test('the expected latency is unknown before the first response with the model', () => {
  const wait = createExpectedWait()
  wait.add('small', 10, 0)
  expect(wait.of('large', 0)).toBeUndefined()
  expect(wait.of('small', 0)).toBe(10)
})

test('recent responses weigh more than old ones', () => {
  const wait = createExpectedWait()
  wait.add('small', 10, 0)
  wait.add('small', 20, 0)
  expect(wait.of('small', 0)).toBeCloseTo(13)
})

test('a slow response decays, so that the node is tried again', () => {
  const wait = createExpectedWait()
  wait.add('small', 1000, 0)
  expect(wait.of('small', 30_000)).toBeCloseTo(500)
  expect(wait.of('small', 300_000)).toBeLessThan(1)
})
