import { expect, test } from 'vitest'
import type { FlowProblem } from '../problems/problem.ts'
import { countByStep } from './problem-counts.ts'

const problem = (severity: FlowProblem['severity'], path: string): FlowProblem => ({
  severity,
  path,
  message: `About ${path}.`,
  code: 'x',
})

test('problems are counted by step, and the most severe one opens first', () => {
  const counts = countByStep([
    problem('warning', 'steps[1].prompt'),
    problem('error', 'steps[1].ai_options.model'),
    problem('warning', 'steps[12]'),
    problem('error', 'label'),
    problem('error', 'metadata.tags'),
  ])
  expect([...counts]).toEqual([
    [
      1,
      {
        words: '1 error, 1 warning',
        isGrave: true,
        first: { path: 'steps[1].ai_options.model', message: 'About steps[1].ai_options.model.' },
      },
    ],
    [12, { words: '1 warning', isGrave: false, first: { path: 'steps[12]', message: 'About steps[12].' } }],
  ])
})
