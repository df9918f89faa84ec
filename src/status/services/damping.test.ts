import { describe, expect, test } from 'vitest'
import { type DampedStatus, type DampingRules, dampStatus } from './damping.ts'
import type { ServiceState } from './service.ts'

const rules: DampingRules = { worse: 2, better: 2, flappingChanges: 4, flappingMs: 600_000 }
const begin = Date.UTC(2026, 10, 15)
const everyMs = 30_000

/** The status after each of these probes, one every thirty seconds. */
function statusesAfter(
  seen: readonly ServiceState[],
  options: Partial<DampingRules> = {},
): readonly DampedStatus[] {
  const statuses: DampedStatus[] = []
  for (const [index, state] of seen.entries()) {
    const at = new Date(begin + index * everyMs)
    statuses.push(dampStatus(statuses.at(-1), state, at, { ...rules, ...options }))
  }
  return statuses
}

const statesOf = (statuses: readonly DampedStatus[]) => statuses.map(({ state }) => state)
const times = <Value>(count: number, values: readonly Value[]) =>
  Array.from({ length: count }, () => values).flat()

describe('the reported state', () => {
  test('is the result of the first probe', () => {
    for (const state of ['online', 'degraded', 'offline', 'unconfigured'] as const) {
      expect(statesOf(statusesAfter([state]))).toEqual([state])
    }
  })

  test('changes after two bad probes in a row, not after one', () => {
    expect(statesOf(statusesAfter(['online', 'offline', 'online', 'offline', 'offline']))).toEqual([
      'online',
      'online',
      'online',
      'online',
      'offline',
    ])
  })

  test('improves after two good probes in a row, not after one', () => {
    expect(statesOf(statusesAfter(['offline', 'online', 'offline', 'online', 'online']))).toEqual([
      'offline',
      'offline',
      'offline',
      'offline',
      'online',
    ])
  })

  test('gets worse after two worse probes with different results', () => {
    expect(statesOf(statusesAfter(['online', 'offline', 'degraded']))).toEqual([
      'online',
      'online',
      'degraded',
    ])
  })

  test('a worse and a better probe do not count as consecutive', () => {
    expect(statesOf(statusesAfter(['degraded', 'offline', 'online', 'offline']))).toEqual(
      times(4, ['degraded']),
    )
  })

  test('follows the configured numbers of probes', () => {
    const seen: readonly ServiceState[] = ['online', 'offline', 'offline', 'offline', 'online']
    expect(statesOf(statusesAfter(seen, { worse: 3, better: 1 }))).toEqual([
      'online',
      'online',
      'online',
      'offline',
      'online',
    ])
  })

  test('follows at once when a service becomes configured or unconfigured', () => {
    expect(statesOf(statusesAfter(['unconfigured', 'offline', 'unconfigured', 'online']))).toEqual([
      'unconfigured',
      'offline',
      'unconfigured',
      'online',
    ])
  })

  test('has the time of its last change', () => {
    const [first, , last] = statusesAfter(['online', 'offline', 'offline'])
    expect(first?.since).toEqual(new Date(begin))
    expect(last?.since).toEqual(new Date(begin + 2 * everyMs))
  })
})

describe('a flapping service', () => {
  const flappingProbes: readonly ServiceState[] = [
    'online',
    ...times(2, ['offline', 'offline', 'online', 'online'] as const),
  ]

  test('is degraded from the fourth change on', () => {
    const statuses = statusesAfter(flappingProbes)
    expect(statuses.map(({ flapping }) => flapping)).toEqual([...times(8, [false]), true])
    expect(statuses.at(-1)).toMatchObject({ state: 'degraded', believed: 'online' })
  })

  test('is reported normally after ten minutes without a turn', () => {
    const calm = statusesAfter([...flappingProbes, ...times(20, ['online'] as const)])
    const since = flappingProbes.length - 2
    expect(calm[since + 19]).toMatchObject({ flapping: true, state: 'degraded' })
    expect(calm[since + 20]).toMatchObject({ flapping: false, state: 'online', turns: [] })
  })

  test('stays degraded while probes turn, even if the believed state is stable', () => {
    const statuses = statusesAfter([...flappingProbes, ...times(30, ['offline', 'online'] as const)])
    expect(statuses.at(-1)).toMatchObject({ flapping: true, state: 'degraded' })
  })

  test('is detected when every other probe fails', () => {
    const statuses = statusesAfter(times(5, ['online', 'offline'] as const))
    expect(statuses.at(-2)).toMatchObject({ flapping: true, state: 'degraded', believed: 'online' })
    expect(statuses.at(-3)).toMatchObject({ flapping: false, state: 'online' })
  })

  test('infrequent changes are no flapping', () => {
    const stable = statusesAfter(
      times(4, [...times(12, ['online']), ...times(12, ['offline'])] as readonly ServiceState[]),
    )
    expect(stable.some(({ flapping }) => flapping)).toBe(false)
  })

  test('is reset when the service becomes unconfigured', () => {
    expect(statusesAfter([...flappingProbes, 'unconfigured', 'online']).at(-1)).toMatchObject({
      state: 'online',
      flapping: false,
    })
  })
})

test('after the clock is set back, no stored time lies in the future', () => {
  const before = statusesAfter(times(5, ['online', 'online', 'offline', 'offline'] as const)).at(-1)
  expect(before).toMatchObject({ state: 'degraded', flapping: true })
  const at = new Date(begin - 3_600_000)
  expect(dampStatus(before, 'offline', at, rules)).toMatchObject({ state: 'offline', since: at, turns: [] })
  const [well] = statusesAfter(['online'])
  expect(dampStatus(well, 'online', at, rules).since).toEqual(at)
})
