import { expect, test } from 'vitest'
import { classifyProbe, type ProbeObservation, type ProviderHealth, slowMs } from './classify-probe.ts'

let minute = 0

const look = (more: Partial<ProbeObservation> = {}): ProbeObservation => ({
  provider: 'openai',
  state: 'online',
  problem: null,
  responseMs: 20.4,
  models: ['gpt-4o'],
  at: new Date((minute += 1) * 60_000),
  ...more,
})

const offline = { state: 'offline', problem: 'It did not answer.', responseMs: null } as const

/** The status after each of several probes. */
function tell(...looks: readonly Partial<ProbeObservation>[]): readonly ProviderHealth['status'][] {
  let health: ProviderHealth | undefined
  return looks.map((more) => (health = classifyProbe(health, look(more))).status)
}

test('the first probe decides the status', () => {
  expect(tell(offline)).toEqual(['offline'])
  expect(classifyProbe(undefined, look())).toMatchObject({
    status: 'online',
    responseMs: 20,
    models: ['gpt-4o'],
    lastError: null,
  })
})

test('a change needs two probes in a row', () => {
  expect(tell({}, offline, offline, {}, {})).toEqual(['online', 'online', 'offline', 'offline', 'online'])
})

test('a provider that alternates keeps its status', () => {
  expect(tell({}, offline, {}, offline, {})).toEqual(['online', 'online', 'online', 'online', 'online'])
})

test('a refused connection or API key changes the status at once', () => {
  expect(tell({}, { ...offline, isRefused: true })).toEqual(['online', 'offline'])
})

test('a change between configured and unconfigured counts at once', () => {
  const unconfigured = { state: 'unconfigured', problem: 'It has no key.', responseMs: null } as const
  expect(tell({}, unconfigured, {})).toEqual(['online', 'unconfigured', 'online'])
})

test('a slow provider is degraded and has a problem text', () => {
  const health = classifyProbe(undefined, look({ responseMs: slowMs + 500 }))
  expect(health).toMatchObject({ status: 'degraded', lastError: 'It took 2500 ms to respond.' })
})

test('changedAt is the time of the last change of status', () => {
  const first = classifyProbe(undefined, look())
  const second = classifyProbe(first, look())
  const refused = classifyProbe(second, look({ ...offline, isRefused: true }))
  expect(second.changedAt).toEqual(first.changedAt)
  expect(refused.changedAt).toEqual(refused.checkedAt)
})
