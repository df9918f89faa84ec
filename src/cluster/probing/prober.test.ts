import { describe, expect, test } from 'vitest'
import { type Health, unknownHealth } from '../nodes/health.ts'
import { createLimiter, delayBeforeProbe } from './prober.ts'

describe('the limiter', () => {
  test('runs at most the allowed number of tasks at once, in order', async () => {
    const inTurn = createLimiter(2)
    const started: number[] = []
    let running = 0
    let most = 0
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map((number) =>
        inTurn(async () => {
          started.push(number)
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        }),
      ),
    )
    expect(most).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('frees the slot of a failed task', async () => {
    const inTurn = createLimiter(1)
    const failing = inTurn(async () => {
      throw new Error('no')
    })
    const next = inTurn(async () => 'done')
    await expect(failing).rejects.toThrow('no')
    await expect(next).resolves.toBe('done')
  })
})

const delay = (health: Partial<Health>, chance: number) =>
  delayBeforeProbe({ ...unknownHealth, ...health }, { intervalMs: 30_000, nowMs: 1000, chance })

describe('the next probe of a node', () => {
  test.each<[string, Partial<Health>, number, number]>([
    ['that is healthy comes at the interval, give or take a tenth', { status: 'healthy' }, 27_000, 33_000],
    ['that came back comes ten times as soon', { status: 'probing' }, 2700, 3300],
    ['without a response yet does too', { status: 'unknown' }, 2700, 3300],
    [
      'that is unhealthy comes when its pause is over, never before',
      { status: 'unhealthy', resumeAtMs: 11_000 },
      10_000,
      11_000,
    ],
    ['whose pause is over comes at once', { status: 'unhealthy', resumeAtMs: 500 }, 0, 0],
  ])('%s', (_name, health, earliest, latest) => {
    expect(delay(health, 0)).toBeCloseTo(earliest)
    expect(delay(health, 1)).toBeCloseTo(latest)
  })
})
