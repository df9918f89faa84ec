import { expect, test } from 'vitest'
import { decideOutage, type KnownOutage } from './follow-outages.ts'

const now = new Date('2026-11-15T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const decide = (
  state: Parameters<typeof decideOutage>[0]['service']['state'],
  outage?: KnownOutage,
  { minutes = 1, inMaintenance = false } = {},
) => decideOutage({ service: { state, since: ago(minutes) }, outage, inMaintenance, now })

test('an online or unconfigured service opens no incident', () => {
  expect([decide('online'), decide('unconfigured')]).toEqual(['nothing', 'nothing'])
})

test('an offline service opens an incident at once, a degraded one after five minutes', () => {
  expect(decide('offline', undefined, { minutes: 0 })).toBe('open')
  expect(decide('degraded', undefined, { minutes: 4.9 })).toBe('nothing')
  expect(decide('degraded', undefined, { minutes: 5 })).toBe('open')
})

test('no incident is opened during announced maintenance', () => {
  expect(decide('offline', undefined, { inMaintenance: true })).toBe('nothing')
  expect(decide('degraded', undefined, { inMaintenance: true, minutes: 60 })).toBe('nothing')
})

test.each([
  ['by_prober', 'offline', 'offline', 'nothing'],
  ['by_prober', 'offline', 'degraded', 'update'],
  ['by_prober', 'degraded', 'offline', 'update'],
  ['by_prober', 'offline', 'online', 'close'],
  ['by_prober', 'offline', 'unconfigured', 'close'],
  ['by_hand', 'offline', 'degraded', 'update'],
  ['by_hand', 'offline', 'online', 'report_recovery'],
  ['gone', 'offline', 'offline', 'nothing'],
  ['gone', 'offline', 'degraded', 'record'],
  ['gone', 'offline', 'online', 'clear'],
] as const)('incident %s, reported %s, service now %s: %s', (incident, reported, state, step) => {
  expect(decide(state, { incident, reported })).toBe(step)
  expect(decide(state, { incident, reported }, { inMaintenance: true })).toBe(step)
})
