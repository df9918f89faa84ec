import { describe, expect, test } from 'vitest'
import { type Health, unknownHealth } from '../nodes/health.ts'
import { delayBeforeProbe } from './probe-delay.ts'

const delay = (health: Partial<Health>, chance: number) =>
  delayBeforeProbe({ ...unknownHealth, ...health }, { intervalMs: 30_000, nowMs: 1000, chance })

describe('the next probe of a node', () => {
  test.each<[string, Partial<Health>, number, number]>([
    ['that is healthy comes at the interval, give or take a tenth', { status: 'healthy' }, 27_000, 33_000],
    ['nobody has heard from does too', { status: 'unknown' }, 27_000, 33_000],
    ['that came back comes ten times as soon', { status: 'probing' }, 2700, 3300],
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
