import { expect, test } from 'vitest'
import { pointAsLowAs } from './curve.ts'

const path = 'M-10,0 C-10,40 90.5,60 90.5,1e2'

test('a point of a curve is where the curve first comes so low', () => {
  const point = pointAsLowAs(path, 50)
  expect(point.y).toBeGreaterThanOrEqual(50)
  expect(point.y).toBeLessThan(60)
  expect(point.x).toBeGreaterThan(30)
  expect(point.x).toBeLessThan(60)
})

test('a curve that never comes so low has its middle', () => {
  expect(pointAsLowAs(path, 1000)).toEqual({ x: 40.25, y: 50 })
})
