import { expect, test } from 'vitest'
import type { TracedStep } from '../executions/execution-queries.ts'
import { diffLines, pairSteps, secondsOf } from './compare-runs.ts'

const step = (step_id: string, more: Partial<TracedStep> = {}) =>
  ({ step_id, state: 'completed', attempts: [], model_used: null, cost: 0, ...more }) as unknown as TracedStep

test('pairs the steps of two executions, including steps of only one', () => {
  const pairs = pairSteps(
    { steps: [step('a'), step('b', { state: 'failed' })] },
    { steps: [step('a'), step('b'), step('c')] },
  )
  expect(pairs.map((pair) => [pair.step, pair.same, pair.left === undefined])).toEqual([
    ['a', true, false],
    ['b', false, false],
    ['c', false, true],
  ])
})

test('the duration of a step is known once it has finished', () => {
  expect(secondsOf(step('a', { started_at: 2, finished_at: 5 }))).toBe(3)
  expect(secondsOf(step('a', { started_at: 2, finished_at: null }))).toBeUndefined()
})

const told = (left: string, right: string) =>
  diffLines(left, right).map(({ kind, text }) => `${{ same: ' ', left: '-', right: '+' }[kind]}${text}`)

test.each([
  ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
  ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['', 'new', ['-', '+new']],
  ['x\na\nb', 'a\nb\ny', ['-x', ' a', ' b', '+y']],
])('the diff of %j and %j', (left, right, expected) => {
  expect(told(left, right)).toEqual(expected)
})

test('a diff contains both texts', () => {
  const [left, right] = ['one\ntwo\nthree\nfour', 'zero\ntwo\nfour\nfive\nsix']
  const lines = diffLines(left, right)
  const only = (other: string) =>
    lines
      .filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('\n')
  expect([only('right'), only('left')]).toEqual([left, right])
})

test('very long texts are shown as replaced', () => {
  const [left, right] = ['a', 'b'].map((word) =>
    Array.from({ length: 2500 }, (_, at) => `${word} ${at}`).join('\n'),
  )
  expect(diffLines(left ?? '', right ?? '')).toHaveLength(5000)
})
