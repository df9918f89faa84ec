import { expect, test } from 'vitest'
import { transition } from './enter-phase.ts'
import { emptyState, type PackageState, type Phase, packageInForce, type State } from './state.ts'

const at = '2026-11-15T10:00:00.000Z'
const red = { at, failing: ['adds'], failedSuites: [], testFiles: {} }

function stateIn(phase: Phase): State {
  const entry: PackageState = { phase, feature: 'cart', since: at, red }
  return phase === 'unknown' ? emptyState : { ...emptyState, packages: { '.': entry } }
}

const phases = ['unknown', 'RED', 'GREEN', 'REFACTOR'] as const
const allowed: Readonly<Record<string, readonly string[]>> = {
  RED: ['unknown', 'RED', 'GREEN', 'REFACTOR'],
  GREEN: ['RED'],
  REFACTOR: ['GREEN'],
}

for (const to of ['RED', 'GREEN', 'REFACTOR'] as const) {
  test.each(phases)(`from %s to ${to}`, (from) => {
    const step = { to, package: '.', feature: 'next', at, enforced: true, proofNeeded: false }
    const moved = transition(stateIn(from), step)
    expect('refused' in moved).toBe(allowed[to]?.includes(from) !== true)
    const free = transition(stateIn(from), { ...step, enforced: false })
    expect(free).toMatchObject({ from, entered: { phase: to, feature: 'next' } })
  })
}

test('a new feature closes earlier proofs; the same RED keeps them', () => {
  const step = { to: 'RED', package: '.', at, enforced: true, proofNeeded: true } as const
  expect(transition(stateIn('RED'), { ...step, feature: 'cart' })).toMatchObject({ entered: { red } })
  expect(transition(stateIn('RED'), { ...step, feature: '' })).toMatchObject({
    entered: { red, feature: 'cart' },
  })
  expect(transition(stateIn('RED'), { ...step, feature: 'other' })).not.toHaveProperty('entered.red')
  expect(transition(stateIn('REFACTOR'), { ...step, feature: 'cart' })).not.toHaveProperty('entered.red')
})

test('the nearest package at or above the file decides', () => {
  const root: PackageState = { phase: 'RED', feature: '', since: at }
  const state: State = { ...emptyState, packages: { '.': root, 'packages/a': { ...root, phase: 'GREEN' } } }
  expect(packageInForce(state, 'packages/a')?.name).toBe('packages/a')
  expect(packageInForce(state, 'packages/a/nested')?.name).toBe('packages/a')
  expect(packageInForce(state, 'packages/ab')?.name).toBe('.')
  expect(packageInForce(emptyState, 'packages/a')).toBeUndefined()
  expect(packageInForce(state, 'constructor')?.name).toBe('.')
})
