import { expect, test } from 'vitest'
import { judgeProbe, type ProviderStanding, type SeenProvider, slowMs } from './judge-probe.ts'

let minute = 0

const look = (more: Partial<SeenProvider> = {}): SeenProvider => ({
  provider: 'openai',
  state: 'online',
  problem: null,
  responseMs: 20.4,
  models: ['gpt-4o'],
  at: new Date((minute += 1) * 60_000),
  ...more,
})

const offline = { state: 'offline', problem: 'It did not answer.', responseMs: null } as const

/** What is told after each of some looks. */
function tell(...looks: readonly Partial<SeenProvider>[]): readonly ProviderStanding['status'][] {
  let standing: ProviderStanding | undefined
  return looks.map((more) => (standing = judgeProbe(standing, look(more))).status)
}

test('the first look is believed', () => {
  expect(tell(offline)).toEqual(['offline'])
  expect(judgeProbe(undefined, look())).toMatchObject({
    status: 'online',
    responseMs: 20,
    models: ['gpt-4o'],
    lastError: null,
  })
})

test('a change is believed when it is seen twice in a row', () => {
  expect(tell({}, offline, offline, {}, {})).toEqual(['online', 'online', 'offline', 'offline', 'online'])
})

test('a provider that comes and goes is told as it was', () => {
  expect(tell({}, offline, {}, offline, {})).toEqual(['online', 'online', 'online', 'online', 'online'])
})

test('nobody listening, or a key that is not accepted, is believed at once', () => {
  expect(tell({}, { ...offline, isRefused: true })).toEqual(['online', 'offline'])
})

test('what is set up, or no longer is, is believed at once', () => {
  const unconfigured = { state: 'unconfigured', problem: 'It has no key.', responseMs: null } as const
  expect(tell({}, unconfigured, {})).toEqual(['online', 'unconfigured', 'online'])
})

test('a slow provider is degraded and says so', () => {
  const standing = judgeProbe(undefined, look({ responseMs: slowMs + 500 }))
  expect(standing).toMatchObject({ status: 'degraded', lastError: 'It took 2500 ms to answer.' })
})

test('it is known since when it is as it is', () => {
  const first = judgeProbe(undefined, look())
  const second = judgeProbe(first, look())
  const refused = judgeProbe(second, look({ ...offline, isRefused: true }))
  expect(second.changedAt).toEqual(first.changedAt)
  expect(refused.changedAt).toEqual(refused.checkedAt)
})
