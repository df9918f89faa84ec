import { expect, test } from 'vitest'
import { levelMessage, levelOf, publicStateOf, reportedImpactsOf } from './overall-status.ts'

const now = new Date('2026-11-15T12:00:00Z')
const context = {
  maintained: new Set(['disk']),
  reported: reportedImpactsOf([
    { impact: 'down', services: ['mcp', 'queue'] },
    { impact: 'degraded', services: ['openai', 'queue'] },
    { impact: 'none', services: ['ollama'] },
  ]),
  staleBefore: new Date(now.getTime() - 60_000),
}
const state = (of: Partial<Parameters<typeof publicStateOf>[0]>) =>
  publicStateOf({ name: 'ollama', state: 'online', lastCheck: now, ...of }, context)

test('a service has its probed state, unless it is in maintenance or the report is stale', () => {
  expect([
    state({}),
    state({ state: 'degraded' }),
    state({ state: 'offline' }),
    state({ state: 'unconfigured' }),
    state({ name: 'disk', state: 'offline' }),
    state({ lastCheck: new Date(0) }),
  ]).toEqual(['operational', 'degraded', 'down', undefined, 'maintenance', 'unknown'])
})

test('an open incident counts unless the probed state is worse', () => {
  expect([
    state({ name: 'openai' }),
    state({ name: 'openai', state: 'offline' }),
    state({ name: 'mcp' }),
    state({ name: 'mcp', state: 'degraded' }),
    state({ name: 'queue', lastCheck: new Date(0) }),
  ]).toEqual(['degraded', 'down', 'down', 'down', 'down'])
})

const incident = (impact: 'none' | 'degraded' | 'down') =>
  ({ kind: 'incident', impact, state: 'investigating' }) as const

test('the overall status is the worst of service states and open incidents', () => {
  const maintenance = { kind: 'maintenance', impact: 'none', state: 'under_way' } as const
  expect(levelOf(['operational'], [])).toBe('operational')
  expect(levelOf(['operational'], [incident('none')])).toBe('operational')
  expect(levelOf(['operational'], [maintenance])).toBe('maintenance')
  expect(levelOf(['operational'], [{ ...maintenance, state: 'scheduled' }])).toBe('operational')
  expect(levelOf(['operational', 'unknown'], [])).toBe('unknown')
  expect(levelOf([], [])).toBe('unknown')
  expect(levelOf(['operational', 'unknown', 'degraded'], [])).toBe('degraded')
  expect(levelOf(['operational'], [incident('degraded'), maintenance])).toBe('degraded')
  expect(levelOf(['operational'], [incident('down')])).toBe('outage')
  expect(levelOf(['degraded', 'down'], [])).toBe('outage')
})

test('the message names a complete outage', () => {
  expect(levelMessage('outage', ['down', 'operational'])).toBe('Some services are not available')
  expect(levelMessage('outage', ['down', 'down'])).toBe('No service is available')
})
