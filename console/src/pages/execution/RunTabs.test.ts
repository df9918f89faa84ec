import { expect, test } from 'vitest'
import type { Trace } from '../executions/execution-queries.ts'
import { choicesOf } from './RunTabs.tsx'

const edge = (from: string, to: string, taken: boolean | null) =>
  ({ from, to, kind: 'chooses', label: `to ${to}`, taken }) as Trace['edges'][number]

test('lists the branches taken and not taken, and the decision of a routing step', () => {
  const decision = { step: 'route', agent: 'router', decision: 'deep' } as Trace['decisions'][number]
  const choices = choicesOf({
    edges: [edge('check', 'a', true), edge('check', 'b', false), edge('late', 'c', null)],
    decisions: [decision],
  })
  expect(choices.map(({ step }) => step)).toEqual(['check', 'route'])
  expect(choices[0]).toMatchObject({ taken: [{ to: 'a' }], passed: [{ to: 'b' }], decision: undefined })
  expect(choices[1]).toMatchObject({ taken: [], passed: [], decision })
})
