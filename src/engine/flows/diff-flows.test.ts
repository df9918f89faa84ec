import { expect, test } from 'vitest'
import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import { diffFlows } from './diff-flows.ts'

const prompt = (id: string, more: Partial<Step> = {}): Step =>
  ({ id, type: 'ai_prompt', prompt: `Do ${id}.`, ...more }) as Step
const flow = (steps: Step[], more: Partial<FlowDefinition> = {}) => ({
  definition: { id: 'review', label: 'Review', steps, ...more },
  metadata: {},
})
const gate = (value: number): Step => ({
  id: 'gate',
  type: 'conditional',
  conditions: [{ field: 'score', operator: '<', value, action: { type: 'continue' } }],
})
const call = (body: unknown): Step => ({
  id: 'c',
  type: 'external_api',
  api: { url: 'https://a.example', body },
})
const inOrder = (order: string[]) => flow(order.map((id) => prompt(id)))
const drawn = (layout?: Record<string, { x: number; y: number }>) => ({
  ...inOrder(['a', 'b']),
  metadata: layout === undefined ? {} : { layout },
})

test('equal versions have no differences', () => {
  expect(diffFlows(flow([prompt('a')]), flow([prompt('a')]))).toEqual({
    equal: true,
    flow: [],
    metadata: [],
    steps: { added: [], removed: [], changed: [], moved: [] },
    summary: [],
  })
})

test('added, removed and changed steps are listed with their paths', () => {
  const older = flow([prompt('a', { label: 'First' }), gate(70), prompt('gone')])
  const newer = flow([prompt('a'), gate(80), prompt('new')])
  const { equal, steps, summary } = diffFlows(older, newer)
  expect(equal).toBe(false)
  expect(steps).toEqual({
    added: [{ id: 'new', type: 'ai_prompt', label: null }],
    removed: [{ id: 'gone', type: 'ai_prompt', label: null }],
    changed: [
      {
        id: 'a',
        type: 'ai_prompt',
        label: null,
        changes: [{ path: 'label', change: 'removed', old_value: 'First', new_value: null }],
      },
      {
        id: 'gate',
        type: 'conditional',
        label: null,
        changes: [{ path: 'conditions[0].value', change: 'changed', old_value: 70, new_value: 80 }],
      },
    ],
    moved: [],
  })
  expect(summary).toEqual([
    'Step "gone" (ai_prompt) is gone.',
    'Step "new" (ai_prompt) is new.',
    'Step "a": label is gone; it was "First".',
    'Step "gate": conditions[0].value was 70 and is 80.',
  ])
})

test('fields of the flow and its metadata are compared, too', () => {
  const older = {
    ...flow([prompt('a')], {
      tags: ['x'],
      global_configuration: { cost_controls: { max_total_cost: 1 } },
    }),
    metadata: { approval_required: true },
  }
  const newer = {
    ...flow([prompt('a')], {
      tags: ['x', 'y'],
      global_configuration: { cost_controls: { max_total_cost: 2, cost_alerts: [1] } },
    }),
    metadata: {},
  }
  expect(diffFlows(older, newer)).toMatchObject({
    flow: [
      { path: 'tags', change: 'changed', old_value: ['x'], new_value: ['x', 'y'] },
      {
        path: 'global_configuration.cost_controls.max_total_cost',
        change: 'changed',
        old_value: 1,
        new_value: 2,
      },
      { path: 'global_configuration.cost_controls.cost_alerts', change: 'added', new_value: [1] },
    ],
    metadata: [{ path: 'approval_required', change: 'removed', old_value: true, new_value: null }],
    summary: [
      'tags was ["x"] and is ["x","y"].',
      'global_configuration.cost_controls.max_total_cost was 1 and is 2.',
      'global_configuration.cost_controls.cost_alerts is new: [1].',
      'metadata.approval_required is gone; it was true.',
    ],
  })
})

test('moved positions on the canvas are one change', () => {
  const before = { a: { x: 0, y: 0 }, b: { x: 0, y: 100 } }
  const after = { a: { x: 40, y: 0 }, b: { x: 80, y: 120 } }
  expect(diffFlows(drawn(before), drawn(after))).toMatchObject({
    equal: false,
    metadata: [{ path: 'layout', change: 'changed', old_value: before, new_value: after }],
    summary: ['The layout on the canvas is different.'],
  })
  expect(diffFlows(drawn(), drawn(after)).metadata).toMatchObject([{ path: 'layout', change: 'added' }])
  expect(diffFlows(drawn(before), drawn()).metadata).toMatchObject([{ path: 'layout', change: 'removed' }])
  expect(diffFlows(drawn(before), drawn({ b: before.b, a: before.a })).equal).toBe(true)
})

test('a list of objects is compared index by index', () => {
  const { steps } = diffFlows(flow([call([{ a: 1 }])]), flow([call([{ a: 2 }, { b: 1 }])]))
  expect(steps.changed[0]?.changes).toEqual([
    { path: 'api.body[0].a', change: 'changed', old_value: 1, new_value: 2 },
    { path: 'api.body[1]', change: 'added', old_value: null, new_value: { b: 1 } },
  ])
})

test('of reordered steps the fewest possible count as moved', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(diffFlows(inOrder(ids), inOrder(['b', 'c', 'd', 'a'])).steps.moved).toEqual([
    { id: 'a', from: 0, to: 3 },
  ])
  expect(diffFlows(inOrder(ids), inOrder(['a', 'x', 'd', 'b', 'c'])).steps.moved).toEqual([
    { id: 'd', from: 3, to: 1 },
  ])
})

test('names of built-in properties are ordinary names', () => {
  const odd: unknown = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}')
  const { steps } = diffFlows(flow([call({})]), flow([call(odd)]))
  expect(steps.changed[0]?.changes.map(({ path }) => path)).toEqual([
    'api.body.__proto__',
    'api.body.constructor',
  ])
})
