import { expect, test } from 'vitest'
import type { TestResult } from '../test-report.ts'
import { oneResultPerId } from './read-report.ts'

test.each<[TestResult['outcome'][], TestResult['outcome']]>([
  [['failed', 'passed'], 'failed'],
  [['passed', 'failed'], 'failed'],
  [['passed', 'skipped'], 'passed'],
  [['skipped', 'passed'], 'passed'],
  [['skipped', 'skipped'], 'skipped'],
])('an id with the outcomes %j gets %s', (outcomes, expected) => {
  const results = outcomes.map((outcome) => ({ id: 'a', file: undefined, outcome }))
  expect(oneResultPerId(results)).toEqual([{ id: 'a', file: undefined, outcome: expected }])
})
