import { expect, test } from 'vitest'
import { summarise } from './summarise.ts'
import { placeOf, tookLength } from './took.ts'

test('one probe has its own time as every percentile', () => {
  const took = Array.from({ length: tookLength }, (_, place) => (place === placeOf(208) ? 1 : 0))
  const row = {
    service: 'database',
    at: 0,
    online: 1,
    degraded: 0,
    offline: 0,
    timed: 1,
    sum: 208,
    max: 208,
  } as const
  expect(summarise('database', [row], took, [0])).toMatchObject({ p50: 208, p95: 208, p99: 208, maxMs: 208 })
})
