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
  const inner = [{ id: 'inner', type: 'agent' }]
  const steps = [
    { id: 'a', type: 'agent' },
    { id: 'b', type: 'ai_prompt' },
    { id: 'each', type: 'for_each', steps: inner },
  ]
  const found = [
    problem('warning', 'steps[1].prompt'),
    problem('error', 'steps[1].ai_options.model'),
    problem('warning', 'steps[2].steps[0]'),
    problem('error', 'label'),
    problem('error', 'metadata.tags'),
  ]
  const counts = countByStep(found, { definition: { id: '', label: '', steps }, metadata: {} })
  const path = 'steps[2].steps[0]'
  const warned = { words: '1 warning', isGrave: false, first: { path, message: `About ${path}.` } }
  expect([...counts]).toEqual([
    [
      'b',
      {
        words: '1 error, 1 warning',
        isGrave: true,
        first: { path: 'steps[1].ai_options.model', message: 'About steps[1].ai_options.model.' },
      },
    ],
    ['each', warned],
    ['inner', warned],
  ])
})
