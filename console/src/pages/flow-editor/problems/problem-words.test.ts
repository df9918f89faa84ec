import { describe, expect, test } from 'vitest'
import type { FlowProblem } from './problem.ts'
import { countProblems, neighbourOf, summarize } from './problem-words.ts'

const about = (path: string, severity: FlowProblem['severity'] = 'error'): FlowProblem => ({
  severity,
  path,
  message: 'is required',
  code: 'required',
})

test.each([
  ['No problems', []],
  ['1 error', [about('a')]],
  ['2 errors, 1 warning', [about('a'), about('b'), about('c', 'warning')]],
  ['2 warnings', [about('a', 'warning'), about('b', 'warning')]],
] as const)('counts %s', (words, problems) => {
  expect(countProblems(problems)).toBe(words)
})

test('reports a missing result rather than no problems', () => {
  const problems: FlowProblem[] = []
  expect(summarize({ state: 'stale', problems, isEmpty: false })).toBe('Checking…')
  expect(summarize({ state: 'unreachable', problems, isEmpty: false })).toBe('Not checked')
  expect(summarize({ state: 'checked', problems, isEmpty: false })).toBe('No problems')
  expect(summarize({ state: 'checked', problems, isEmpty: true })).toBe('Nothing to check yet')
  expect(summarize({ state: 'stale', problems: [about('a')], isEmpty: false })).toBe('1 error')
})

describe('moving between problems', () => {
  const [first, second, third] = [about('a'), about('b'), about('c')]
  const all = [first, second, third]

  test('starts at an end and wraps around', () => {
    expect(neighbourOf(all, null, 1)).toBe(first)
    expect(neighbourOf(all, first, 1)).toBe(second)
    expect(neighbourOf(all, third, 1)).toBe(first)
    expect(neighbourOf(all, null, -1)).toBe(third)
    expect(neighbourOf(all, first, -1)).toBe(third)
  })

  test('starts again when the last problem was solved', () => {
    expect(neighbourOf([first, third], second, 1)).toBe(first)
    expect(neighbourOf([], first, 1)).toBeUndefined()
  })
})
