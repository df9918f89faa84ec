import { expect, test } from 'vitest'
import { levelMessage, levelOf, publicStateOf, saidOf } from './overall-status.ts'

const now = new Date('2026-11-15T12:00:00Z')
const around = {
  maintained: new Set(['disk']),
  said: saidOf([
    { impact: 'down', services: ['mcp', 'queue'] },
    { impact: 'degraded', services: ['openai', 'queue'] },
    { impact: 'none', services: ['ollama'] },
  ]),
  staleBefore: new Date(now.getTime() - 60_000),
}
const state = (of: Partial<Parameters<typeof publicStateOf>[0]>) =>
  publicStateOf({ name: 'ollama', state: 'online', lastCheck: now, ...of }, around)

test('a service is told as it was found, unless it is worked on or nobody looked', () => {
  expect([
    state({}),
    state({ state: 'degraded' }),
    state({ state: 'offline' }),
    state({ state: 'unconfigured' }),
    state({ name: 'disk', state: 'offline' }),
    state({ lastCheck: new Date(0) }),
  ]).toEqual(['operational', 'degraded', 'down', undefined, 'maintenance', 'unknown'])
})

test('what people say of a service counts, unless it was found to be worse', () => {
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

test('the whole is as bad as the worst of what was measured and of what people say', () => {
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

test('when nothing at all is available, it says so', () => {
  expect(levelMessage('outage', ['down', 'operational'])).toBe('Some services are not available')
  expect(levelMessage('outage', ['down', 'down'])).toBe('No service is available')
})
