import { describe, expect, test } from 'vitest'
import type { DraftStep } from '../document/flow-document.ts'
import { createFlowEditor } from '../document/flow-editor.ts'
import { stepKinds } from '../document/step-kinds.ts'
import {
  createStepActions,
  narrowChoices,
  rowAfterKey,
  selectionAfterClick,
  waitingChoices,
} from './step-actions.ts'

const kindOf = (type: string) => stepKinds.find((kind) => kind.type === type) ?? stepKinds[0]

function editing(...steps: readonly DraftStep[]) {
  const told: string[] = []
  const editor = createFlowEditor({ saved: { definition: { id: '', label: '', steps }, metadata: {} } })
  const actions = createStepActions({ editor, announce: (text) => told.push(text) })
  const listed = () => editor.read().document.definition.steps.map(({ id }) => id)
  return { editor, actions, told, listed }
}

const step = (id: string, more: object = {}): DraftStep => ({ id, type: 'x', ...more })

test('a step added after another follows it, depends on it, and has its form open', () => {
  const { editor, actions, told, listed } = editing(step('a', { label: 'Begin' }), step('z'))
  actions.add(kindOf('external_api'), { after: 'a' })
  expect(listed()).toEqual(['a', 'call', 'z'])
  expect(editor.read()).toMatchObject({
    selected: ['call'],
    asked: { path: 'steps[1].label' },
    undoes: 'adding call',
  })
  expect(editor.read().document.definition.steps[1]).toMatchObject({ dependencies: ['a'] })
  expect(told).toEqual(['HTTP request: call was added, after Begin.'])
  actions.add(kindOf('external_api'))
  actions.add(kindOf('conditional'), { index: 0 })
  expect(listed()).toEqual(['decide', 'a', 'call', 'z', 'call_2'])
  expect(editor.read().asked?.path).toBe('steps[0].label')
})

test('a step moves within the bounds of the list, and its position is announced', () => {
  const { editor, actions, told, listed } = editing(step('a'), step('b'), step('c'))
  actions.move('a', 9)
  expect(listed()).toEqual(['b', 'c', 'a'])
  actions.move('a', 3)
  expect(told).toEqual(['a is step 3 of 3 now.'])
  expect(editor.undo()).toBe('moving a')
  expect(listed()).toEqual(['a', 'b', 'c'])
})

test('steps are removed and duplicated together, each as one change', () => {
  const { editor, actions, told, listed } = editing(step('a', { label: 'Begin' }), step('b'), step('c'))
  actions.duplicate(['a', 'b'])
  expect(listed()).toEqual(['a', 'b', 'a_2', 'b_2', 'c'])
  expect(editor.read().selected).toEqual(['a_2', 'b_2'])
  actions.remove(['a_2', 'b_2'])
  actions.remove(['a'])
  actions.remove([])
  expect(listed()).toEqual(['b', 'c'])
  expect(told).toEqual([
    '2 steps were duplicated: a_2, b_2.',
    '2 steps were removed. Undo brings them back.',
    'Begin was removed. Undo brings it back.',
  ])
  editor.undo()
  editor.undo()
  editor.undo()
  expect(listed()).toEqual(['a', 'b', 'c'])
})

test('a dependency is added and removed; one that would close a cycle is ignored and not announced', () => {
  const { editor, actions, told } = editing(step('a'), step('b', { dependencies: ['a', 'gone'] }))
  const waitsFor = () => editor.read().document.definition.steps.map(({ dependencies }) => dependencies)
  actions.setWaiting('a', 'b', true)
  actions.setWaiting('b', 'a', true)
  expect(told).toEqual([])
  expect(editor.read().undoes).toBeUndefined()
  actions.setWaiting('b', 'gone', false)
  actions.setWaiting('b', 'a', false)
  expect(waitsFor()).toEqual([undefined, undefined])
  actions.setWaiting('a', 'b', true)
  expect(waitsFor()).toEqual([['b'], undefined])
  expect(told).toEqual(['b no longer waits for gone.', 'b no longer waits for a.', 'a runs after b.'])
})

const steps: readonly DraftStep[] = [
  { id: 'a', type: 'x', label: 'Begin' },
  { id: 'b', type: 'x', dependencies: ['a', 'missing'] },
  { id: 'c', type: 'x', dependencies: ['b'] },
  { id: 'd', type: 'x', dependencies: 'wrong' },
]

test('a step may depend on the others, but not on its successors', () => {
  const shared = { isGone: false, isLater: false, isWaiting: false }
  expect(waitingChoices(steps, 'b')).toEqual([
    { ...shared, id: 'a', name: '1. Begin', isWaiting: true },
    { ...shared, id: 'c', name: '3. c', isLater: true },
    { ...shared, id: 'd', name: '4. d' },
    { ...shared, id: 'missing', name: 'missing', isWaiting: true, isGone: true },
  ])
  expect(waitingChoices(steps, 'd').every(({ isWaiting }) => !isWaiting)).toBe(true)
})

test('an existing dependency of an invalid flow can be removed', () => {
  const circle: readonly DraftStep[] = [
    { id: 'a', type: 'x', dependencies: ['a', 'b'] },
    { id: 'b', type: 'x', dependencies: ['a'] },
  ]
  expect(waitingChoices(circle, 'a')).toMatchObject([
    { id: 'b', isWaiting: true, isLater: false },
    { id: 'a', isWaiting: true },
  ])
})

test('many choices are narrowed by the search, and always include the chosen ones', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ id: `s${index}`, type: 'x' }))
  const choices = waitingChoices([...many, { id: 'end', type: 'x', dependencies: ['s35'] }], 'end')
  const { shown, more } = narrowChoices(choices, '', 10)
  expect(shown.map(({ id }) => id)).toEqual([...many.slice(0, 10).map(({ id }) => id), 's35'])
  expect(more).toBe(29)
  expect(narrowChoices(choices, ' S3 ', 10).shown.map(({ id }) => id)).toContain('s3')
})

const ids = ['a', 'b', 'c', 'd']
const plain = { shiftKey: false, ctrlKey: false, metaKey: false }

describe('clicking a step', () => {
  test('selects it alone', () => {
    expect(selectionAfterClick(ids, ['a', 'b'], 'c', plain)).toEqual(['c'])
  })

  test('with Ctrl or Command toggles it', () => {
    expect(selectionAfterClick(ids, ['a'], 'c', { ...plain, ctrlKey: true })).toEqual(['a', 'c'])
    expect(selectionAfterClick(ids, ['a', 'c'], 'a', { ...plain, metaKey: true })).toEqual(['c'])
  })

  test('with Shift selects the range, always from the same start', () => {
    const shift = { ...plain, shiftKey: true }
    const down = selectionAfterClick(ids, ['b'], 'd', shift)
    expect(down).toEqual(['b', 'c', 'd'])
    expect(selectionAfterClick(ids, down, 'a', shift)).toEqual(['b', 'a'])
    expect(selectionAfterClick(ids, [], 'c', shift)).toEqual(['c'])
  })
})

test('arrows, Home and End move between rows, and stop at the ends', () => {
  expect(['ArrowUp', 'ArrowDown', 'Home', 'End'].map((key) => rowAfterKey(key, 1, 3))).toEqual([0, 2, 0, 2])
  expect(rowAfterKey('ArrowUp', 0, 3)).toBe(0)
  expect(rowAfterKey('ArrowDown', 2, 3)).toBe(2)
  expect(rowAfterKey('x', 1, 3)).toBeUndefined()
  expect(rowAfterKey('toString', 1, 3)).toBeUndefined()
})
