import { expect, test } from 'vitest'
import { createExpectedWait } from './node-load.ts'

test('nothing is expected of a node that has not answered with the model', () => {
  const wait = createExpectedWait()
  wait.add('small', 10, 0)
  expect(wait.of('large', 0)).toBeUndefined()
  expect(wait.of('small', 0)).toBe(10)
})

test('new answers count more than old ones', () => {
  const wait = createExpectedWait()
  wait.add('small', 10, 0)
  wait.add('small', 20, 0)
  expect(wait.of('small', 0)).toBeCloseTo(13)
})

test('a slow answer fades, so that the node is tried again', () => {
  const wait = createExpectedWait()
  wait.add('small', 1000, 0)
  expect(wait.of('small', 30_000)).toBeCloseTo(500)
  expect(wait.of('small', 300_000)).toBeLessThan(1)
})
