import { describe, expect, test } from 'vitest'
import { type DampingRules, judge, type Standing } from './damping.ts'
import type { ServiceState } from './service.ts'

const rules: DampingRules = { worse: 2, better: 2, flappingChanges: 4, flappingMs: 600_000 }
const begin = Date.UTC(2026, 10, 15)
const everyMs = 30_000

/** What is told after each of these, one every thirty seconds. */
function told(seen: readonly ServiceState[], options: Partial<DampingRules> = {}): readonly Standing[] {
  const standings: Standing[] = []
  for (const [index, state] of seen.entries()) {
    const at = new Date(begin + index * everyMs)
    standings.push(judge(standings.at(-1), state, at, { ...rules, ...options }))
  }
  return standings
}

const statesOf = (standings: readonly Standing[]) => standings.map(({ state }) => state)
const times = <Value>(count: number, values: readonly Value[]) =>
  Array.from({ length: count }, () => values).flat()

describe('what is told', () => {
  test('is what the first probe sees, whatever that is', () => {
    for (const state of ['online', 'degraded', 'offline', 'unconfigured'] as const) {
      expect(statesOf(told([state]))).toEqual([state])
    }
  })

  test('does not change by one bad probe, and does by two in a row', () => {
    expect(statesOf(told(['online', 'offline', 'online', 'offline', 'offline']))).toEqual([
      'online',
      'online',
      'online',
      'online',
      'offline',
    ])
  })

  test('gets better by two good probes in a row, not by one', () => {
    expect(statesOf(told(['offline', 'online', 'offline', 'online', 'online']))).toEqual([
      'offline',
      'offline',
      'offline',
      'offline',
      'online',
    ])
  })

  test('gets worse by two probes that are both worse, though not equally', () => {
    expect(statesOf(told(['online', 'offline', 'degraded']))).toEqual(['online', 'online', 'degraded'])
  })

  test('a probe that is worse and one that is better are not two in a row', () => {
    expect(statesOf(told(['degraded', 'offline', 'online', 'offline']))).toEqual(times(4, ['degraded']))
  })

  test('takes as many probes as the rules say', () => {
    const seen: readonly ServiceState[] = ['online', 'offline', 'offline', 'offline', 'online']
    expect(statesOf(told(seen, { worse: 3, better: 1 }))).toEqual([
      'online',
      'online',
      'online',
      'offline',
      'online',
    ])
  })

  test('follows at once when a service is configured, or no longer is', () => {
    expect(statesOf(told(['unconfigured', 'offline', 'unconfigured', 'online']))).toEqual([
      'unconfigured',
      'offline',
      'unconfigured',
      'online',
    ])
  })

  test('has the time since when it is so', () => {
    const [first, , last] = told(['online', 'offline', 'offline'])
    expect(first?.since).toEqual(new Date(begin))
    expect(last?.since).toEqual(new Date(begin + 2 * everyMs))
  })
})

describe('a service that keeps changing', () => {
  const restless: readonly ServiceState[] = [
    'online',
    ...times(2, ['offline', 'offline', 'online', 'online'] as const),
  ]

  test('is held as degraded from the fourth change on', () => {
    const standings = told(restless)
    expect(standings.map(({ flapping }) => flapping)).toEqual([...times(8, [false]), true])
    expect(standings.at(-1)).toMatchObject({ state: 'degraded', believed: 'online' })
  })

  test('is told as it is after ten minutes without a turn', () => {
    const calm = told([...restless, ...times(20, ['online'] as const)])
    const since = restless.length - 2
    expect(calm[since + 19]).toMatchObject({ flapping: true, state: 'degraded' })
    expect(calm[since + 20]).toMatchObject({ flapping: false, state: 'online', turns: [] })
  })

  test('stays held while it goes on, also when what is believed no longer changes', () => {
    const standings = told([...restless, ...times(30, ['offline', 'online'] as const)])
    expect(standings.at(-1)).toMatchObject({ flapping: true, state: 'degraded' })
  })

  test('is found out too when it fails every other time, which changes no belief', () => {
    const standings = told(times(5, ['online', 'offline'] as const))
    expect(standings.at(-2)).toMatchObject({ flapping: true, state: 'degraded', believed: 'online' })
    expect(standings.at(-3)).toMatchObject({ flapping: false, state: 'online' })
  })

  test('changes that are far apart are no flapping', () => {
    const slow = told(
      times(4, [...times(12, ['online']), ...times(12, ['offline'])] as readonly ServiceState[]),
    )
    expect(slow.some(({ flapping }) => flapping)).toBe(false)
  })

  test('forgets it all when it is no longer configured', () => {
    expect(told([...restless, 'unconfigured', 'online']).at(-1)).toMatchObject({
      state: 'online',
      flapping: false,
    })
  })
})

test('a clock that is set back leaves nothing in the future', () => {
  const before = told(times(5, ['online', 'online', 'offline', 'offline'] as const)).at(-1)
  expect(before).toMatchObject({ state: 'degraded', flapping: true })
  const at = new Date(begin - 3_600_000)
  expect(judge(before, 'offline', at, rules)).toMatchObject({ state: 'offline', since: at, turns: [] })
  const [well] = told(['online'])
  expect(judge(well, 'online', at, rules).since).toEqual(at)
})
