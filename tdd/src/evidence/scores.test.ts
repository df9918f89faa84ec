import { expect, test } from 'vitest'
import type { LogEntry } from '../state/log.ts'
import { complianceScore, qualityScore } from './scores.ts'

const at = '2026-11-15T10:00:00.000Z'
const cycle = (redProven: boolean): LogEntry => ({
  at,
  package: '.',
  kind: 'phase',
  from: 'RED',
  to: 'GREEN',
  feature: '',
  redProven,
})
const run = (held?: boolean): LogEntry => ({
  at,
  package: '.',
  kind: 'run',
  phase: 'GREEN',
  passed: 1,
  failed: 0,
  ...(held === undefined ? {} : { held }),
})
const edit = (
  phase: 'RED' | 'GREEN',
  kind: 'test' | 'implementation',
  outcome: 'allowed' | 'warned' | 'blocked',
): LogEntry => ({
  at,
  package: '.',
  kind: 'edit',
  agent: 'argument',
  phase,
  class: kind,
  path: 'a',
  outcome,
})

test('compliance is the mean of the known values', () => {
  expect(complianceScore([])).toEqual({ value: undefined, parts: [] })
  const log = [
    cycle(true),
    cycle(false),
    run(true),
    run(true),
    run(false),
    run(),
    edit('RED', 'test', 'allowed'),
    edit('RED', 'implementation', 'warned'),
    edit('RED', 'implementation', 'blocked'),
    edit('GREEN', 'implementation', 'allowed'),
    edit('GREEN', 'test', 'warned'),
  ]
  expect(complianceScore(log)).toEqual({
    value: 55,
    parts: [
      { name: 'red', value: 50 },
      { name: 'green', value: 66 },
      { name: 'edits', value: 50 },
    ],
  })
})

test('quality combines coverage against the threshold, passing tests and violations', () => {
  const facts = { coveragePercent: 76, coverageThreshold: 95, expectedFailures: 0, violations: 1 }
  const lastRun = { phase: 'GREEN', passed: 3, failed: 1, failedSuites: 0 }
  expect(qualityScore({ ...facts, lastRun })).toEqual({
    value: 78,
    parts: [
      { name: 'coverage', value: 80 },
      { name: 'tests', value: 75 },
      { name: 'rules', value: 80 },
    ],
  })
  expect(qualityScore({ ...facts, coveragePercent: 100, lastRun: undefined, violations: 9 })).toEqual({
    value: 50,
    parts: [
      { name: 'coverage', value: 100 },
      { name: 'rules', value: 0 },
    ],
  })
})

test('quality is unknown before the first measurement', () => {
  const facts = { coveragePercent: undefined, coverageThreshold: 95, lastRun: undefined, expectedFailures: 0 }
  expect(qualityScore({ ...facts, violations: 0 })).toEqual({ value: undefined, parts: [] })
})

test('the failures that RED requires do not lower the score of the tests', () => {
  const lastRun = { phase: 'RED', passed: 3, failed: 1, failedSuites: 0 }
  const { parts } = qualityScore({
    coveragePercent: undefined,
    coverageThreshold: 95,
    lastRun,
    expectedFailures: 1,
    violations: 0,
  })
  expect(parts).toContainEqual({ name: 'tests', value: 100 })
})
