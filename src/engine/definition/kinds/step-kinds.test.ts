import { expect, test } from 'vitest'
import { lookUp } from '../../expressions/paths.ts'
import { kindOf, type Step, stepTypes } from '../step-types.ts'
import { stepKinds } from './index.ts'

test.each(stepKinds)('$type: the kind and its schema have the same type', ({ type, schema }) => {
  expect(schema.properties.type.const).toBe(type)
  expect(kindOf({ type }).schema).toBe(schema)
})

test('no two kinds have the same type', () => {
  expect(new Set(stepTypes).size).toBe(stepKinds.length)
})

const deciding: readonly Step[] = [
  {
    id: 'choose',
    type: 'conditional',
    conditions: [
      { field: 'a', operator: '>', value: 1, action: { type: 'continue', next_step: 'b' } },
      { field: 'a', operator: 'exists', action: { type: 'jump_to_step', target_step: 'c' } },
      { field: 'a', operator: '<', value: 1, action: { type: 'continue' } },
    ],
    default_action: { type: 'jump_to_step', target_step: 'd' },
  },
  {
    id: 'ask',
    type: 'ai_prompt',
    prompt: 'Write.',
    agent_routing: true,
    routing_options: { more: { add_steps: ['b', 'c'], continue_to: 'd' }, stop: {} },
  },
]

test.each(deciding)('$type: every path of a target leads to its id', (step) => {
  const kind = kindOf(step)
  const ofBranches = (kind.branches?.(step) ?? []).flatMap(({ adds, next }) => [...adds, next ?? []].flat())
  expect(ofBranches.map(({ id }) => id)).toEqual(['b', 'c', 'd'])
  expect(kind.references?.(step) ?? ofBranches).toEqual(ofBranches)
  const scope = { memory: { ...step }, context: {}, steps: {} }
  for (const { path, id } of ofBranches) expect(lookUp(scope, path)).toBe(id)
})

test('a conditional has a branch for the case that no condition is true', () => {
  const step: Step = {
    id: 'choose',
    type: 'conditional',
    conditions: [
      { field: 'score', operator: 'in', value: [1, 2], action: { type: 'jump_to_step', target_step: 'b' } },
    ],
  }
  const branches = kindOf(step).branches?.(step) ?? []
  expect(branches.map(({ label, next, jumps }) => [label(), next?.id, jumps])).toEqual([
    ['score in [1,2]', 'b', true],
    ['otherwise', undefined, false],
  ])
})
