import { describe, expect, test } from 'vitest'
import { createLatency } from './tracked-node.ts'

describe('latency', () => {
  test('is unknown before the first response', () => {
    expect(createLatency().summary()).toEqual({ p50: null, p95: null, ewma: null })
  })

  test('starts with the first response time', () => {
    const latency = createLatency()
    latency.add(12.34)
    expect(latency.summary()).toEqual({ p50: 12.3, p95: 12.3, ewma: 12.3 })
  })

  test('has percentiles by rank', () => {
    const latency = createLatency()
    for (let ms = 20; ms >= 1; ms -= 1) latency.add(ms)
    expect(latency.summary()).toMatchObject({ p50: 10, p95: 19 })
  })

  test('moves the average a fifth of the way to each new response time', () => {
    const latency = createLatency()
    latency.add(10)
    latency.add(20)
    expect(latency.summary().ewma).toBe(12)
  })

  test('drops old response times from the percentiles', () => {
    const latency = createLatency()
    latency.add(5000)
    for (let count = 0; count < 64; count += 1) latency.add(2)
    expect(latency.summary()).toMatchObject({ p50: 2, p95: 2 })
  })
})
