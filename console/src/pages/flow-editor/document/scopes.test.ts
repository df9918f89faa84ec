import { describe, expect, test } from 'vitest'
import { connect, moveStep, pasteSteps, removeSteps, renameStep, setStepValue } from './edits.ts'
import { type DraftStep, type FlowDocument, placesIn, readDefinition, stepIn } from './flow-document.ts'
import { createFlowEditor } from './flow-editor.ts'
import { placedSteps, scopeOfChange, stepAtPath, stepsOf } from './scopes.ts'
import { containerOf, newStep, stepKinds } from './step-kinds.ts'

const find: DraftStep = { id: 'find', type: 'external_api' }
const translate: DraftStep = { id: 'translate', type: 'ai_prompt', prompt: '{{steps.find.rows}} {{item}}' }
const check: DraftStep = { id: 'check', type: 'agent', dependencies: ['translate'] }
const each: DraftStep = {
  id: 'each',
  type: 'for_each',
  items: 'steps.find.rows',
  dependencies: ['find'],
  steps: [translate, check],
}
const report: DraftStep = { id: 'report', type: 'agent', dependencies: ['each'] }
const flow: FlowDocument = {
  definition: { id: 'f', label: 'F', steps: [find, each, report] },
  metadata: { layout: { each: { x: 1, y: 2 }, check: { x: 3, y: 4 } } },
}

const idsIn = (document: FlowDocument, scope: string | null) => stepsOf(document, scope).map(({ id }) => id)

describe('a nested step', () => {
  test('is found by its ID and by its path', () => {
    expect([...placedSteps(flow.definition)].map(([id, { path }]) => `${id} ${path}`)).toEqual([
      'find steps[0]',
      'each steps[1]',
      'translate steps[1].steps[0]',
      'check steps[1].steps[1]',
      'report steps[2]',
    ])
    expect(stepAtPath(flow, 'steps[1].steps[1].prompt')).toEqual({ step: check, rest: 'prompt' })
    expect(stepAtPath(flow, 'steps[1].steps')).toEqual({ step: each, rest: 'steps' })
    expect(stepAtPath(flow, 'steps[7]')).toBeUndefined()
  })

  test('is changed without touching the others', () => {
    const changed = setStepValue(flow, 'check', ['label'], 'Check')
    expect(stepIn(changed, 'check')).toHaveProperty('label', 'Check')
    expect(stepIn(changed, 'translate')).toBe(translate)
    expect(changed.definition.steps[0]).toBe(find)
    expect(scopeOfChange(flow, changed)).toBe('each')
    expect(scopeOfChange(flow, setStepValue(flow, 'each', ['as'], 'row'))).toBeNull()
    expect(scopeOfChange(flow, flow)).toBeUndefined()
  })

  test('moves and connects only in its scope', () => {
    expect(idsIn(moveStep(flow, 'check', 0), 'each')).toEqual(['check', 'translate'])
    expect(connect(flow, 'find', 'check')).toBe(flow)
    expect(connect(flow, 'check', 'translate')).toBe(flow)
  })

  test('is removed with its references and its position, alone or with its container', () => {
    const without = removeSteps(flow, ['translate'])
    expect(stepIn(without, 'check')?.['dependencies']).toEqual([])
    const none = removeSteps(flow, ['each'])
    expect(stepIn(none, 'check')).toBeUndefined()
    expect(placesIn(none).size).toBe(0)
    expect(stepIn(none, 'report')?.['dependencies']).toEqual([])
  })

  test('follows the rename of a step outside', () => {
    const renamed = renameStep(flow, 'find', 'fetch')
    expect(stepIn(renamed, 'translate')?.['prompt']).toBe('{{steps.fetch.rows}} {{item}}')
    expect(stepIn(renamed, 'each')?.['items']).toBe('steps.fetch.rows')
    expect(renameStep(flow, 'find', 'check')).toBe(flow)
  })
})

test('copies of a container have new IDs inside, also in another scope', () => {
  const { document, pasted } = pasteSteps(flow, [each], { within: 'each' })
  expect(pasted).toEqual(['each_2'])
  expect(idsIn(document, 'each')).toEqual(['translate', 'check', 'each_2'])
  expect(stepsOf(document, 'each_2')).toMatchObject([
    { id: 'translate_2' },
    { id: 'check_2', dependencies: ['translate_2'] },
  ])
  // A step can depend only on steps of its scope.
  expect(stepIn(document, 'each_2')?.['dependencies']).toEqual([])
  expect(readDefinition(document.definition)).toEqual(document.definition)
})

test('a new container has steps with free IDs', () => {
  const forEach = stepKinds.find(({ type }) => type === 'for_each') ?? stepKinds[0]
  const first = newStep(forEach, { steps: [] })
  const second = newStep(forEach, { steps: [first] })
  expect([first.id, second.id]).toEqual(['each', 'each_2'])
  expect(second['steps']).toMatchObject([{ id: 'per_item_2' }])
})

test('a step of an unknown type with steps inside is a container', () => {
  expect(containerOf({ id: 'x', type: 'later', steps: [find] })?.scope).toBe('Steps')
  expect(containerOf({ id: 'x', type: 'later', steps: [1] })).toBeUndefined()
  expect(containerOf({ ...each, as: 'row' })?.variables({ ...each, as: 'row' })).toMatchObject([
    { name: 'row' },
    { name: 'index' },
  ])
})

test.each([
  [[{ id: 'each', type: 'for_each', steps: [1] }], 'steps[0].steps[0] must be an object.'],
  [
    [
      { id: 'a', type: 'agent' },
      { id: 'each', type: 'for_each', steps: [{ id: 'a', type: 'agent' }] },
    ],
    'steps[1].steps[0].id: "a" is used by another step.',
  ],
])('a nested step must be a step with an ID of its own: %j', (steps, problem) => {
  expect(readDefinition({ steps })).toEqual({ problem })
})

function open(scope: string | null) {
  const editor = createFlowEditor({ saved: flow })
  editor.open(scope)
  return editor
}

describe('the open scope', () => {
  test('has the steps of its container; only containers open', () => {
    const editor = open('each')
    expect(editor.read()).toMatchObject({ scope: 'each', steps: [{ id: 'translate' }, { id: 'check' }] })
    editor.open('find')
    expect(editor.read().scope).toBeNull()
  })

  test('changes with the selection, unless it shows the selected step', () => {
    const editor = open(null)
    editor.select(['check'])
    expect(editor.read()).toMatchObject({ scope: null, selected: ['check'] })
    editor.open('each')
    editor.select(['report'])
    expect(editor.read()).toMatchObject({ scope: null, selected: ['report'] })
    editor.open('each')
    expect(editor.read().selected).toEqual([])
    editor.ask('steps[0].label')
    expect(editor.read()).toMatchObject({ scope: null, selected: ['find'] })
  })

  test('stays open when its container is renamed, and closes when it is removed', () => {
    const editor = open('each')
    editor.change({ what: 'a name' }, (it) => renameStep(it, 'each', 'loop'))
    expect(editor.read().scope).toBe('loop')
    editor.undo()
    expect(editor.read().scope).toBe('each')
    editor.change({ what: 'removing' }, (it) => removeSteps(it, ['each']))
    expect(editor.read().scope).toBeNull()
  })

  test('follows undo to the change', () => {
    const editor = open('each')
    editor.change({ what: 'removing' }, (it) => removeSteps(it, ['check']))
    editor.open(null)
    editor.change({ what: 'a label' }, (it) => setStepValue(it, 'find', ['label'], 'Find'))
    editor.open('each')
    editor.undo()
    expect(editor.read().scope).toBeNull()
    editor.undo()
    expect(editor.read()).toMatchObject({ scope: null, document: flow })
    editor.open('each')
    editor.redo()
    expect(editor.read()).toMatchObject({ scope: 'each', steps: [{ id: 'translate' }] })
  })
})
