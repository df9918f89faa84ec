import { expect, test } from 'vitest'
import { decideOutage, type KnownOutage } from './follow-outages.ts'

const now = new Date('2026-11-15T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const decide = (
  state: Parameters<typeof decideOutage>[0]['service']['state'],
  outage?: KnownOutage,
  { minutes = 1, inMaintenance = false } = {},
) => decideOutage({ service: { state, since: ago(minutes) }, outage, inMaintenance, now })

test('what is well, or not in use, is nothing to speak of', () => {
  expect([decide('online'), decide('unconfigured')]).toEqual(['nothing', 'nothing'])
})

test('an outage begins at once when nothing is there, and after five minutes when it is slow', () => {
  expect(decide('offline', undefined, { minutes: 0 })).toBe('begin')
  expect(decide('degraded', undefined, { minutes: 4.9 })).toBe('nothing')
  expect(decide('degraded', undefined, { minutes: 5 })).toBe('begin')
})

test('nothing begins while work on it was announced', () => {
  expect(decide('offline', undefined, { inMaintenance: true })).toBe('nothing')
  expect(decide('degraded', undefined, { inMaintenance: true, minutes: 60 })).toBe('nothing')
})

test.each([
  ['ours', 'offline', 'offline', 'nothing'],
  ['ours', 'offline', 'degraded', 'tell'],
  ['ours', 'degraded', 'offline', 'tell'],
  ['ours', 'offline', 'online', 'close'],
  ['ours', 'offline', 'unconfigured', 'close'],
  ['by_hand', 'offline', 'degraded', 'tell'],
  ['by_hand', 'offline', 'online', 'tell_well'],
  ['gone', 'offline', 'offline', 'nothing'],
  ['gone', 'offline', 'degraded', 'remember'],
  ['gone', 'offline', 'online', 'forget'],
] as const)('of an incident that is %s, told %s and now %s: %s', (incident, told, state, step) => {
  expect(decide(state, { incident, told })).toBe(step)
  expect(decide(state, { incident, told }, { inMaintenance: true })).toBe(step)
})
