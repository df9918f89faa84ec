import { describe, expect, test } from 'vitest'
import { edgesOf } from './edges.ts'
import {
  addStep,
  connect,
  disconnect,
  moveStep,
  pasteSteps,
  placeSteps,
  removeSteps,
  renameStep,
  replaceDefinition,
  setFlowValue,
  setStepValue,
  wouldCircle,
} from './edits.ts'
import { type DraftStep, type FlowDocument, placesIn, stepIn } from './flow-document.ts'

const ask: DraftStep = {
  id: 'ask',
  type: 'ai_prompt',
  routing_options: { deep: { add_steps: ['more'], continue_to: 'end' } },
}
const decide: DraftStep = {
  id: 'decide',
  type: 'conditional',
  dependencies: ['ask'],
  conditions: [{ field: 'score', operator: '<', value: 70, action: { type: 'continue', next_step: 'more' } }],
  default_action: { type: 'jump_to_step', target_step: 'end' },
}
const more: DraftStep = { id: 'more', type: 'data_transform' }
const end: DraftStep = { id: 'end', type: 'external_api', dependencies: ['ask', 'decide'] }

const flow: FlowDocument = {
  definition: { id: 'flow', label: 'Flow', steps: [ask, decide, more, end] },
  metadata: { department: 'news' },
}

const ids = ({ definition }: FlowDocument) => definition.steps.map(({ id }) => id)

describe('a step', () => {
  test('is added at the end, after another step and at a position', () => {
    const added = addStep(flow, { id: 'x', type: 'agent' }, { after: 'end', place: { x: 8, y: 16 } })
    expect(stepIn(added, 'x')).toEqual({ id: 'x', type: 'agent', dependencies: ['end'] })
    expect(placesIn(added)).toEqual(new Map([['x', { x: 8, y: 16 }]]))
    expect(added.metadata['department']).toBe('news')
  })

  test('is removed with all references and its position', () => {
    const removed = removeSteps(placeSteps(flow, new Map([['more', { x: 1, y: 2 }]])), ['more', 'ask'])
    expect(ids(removed)).toEqual(['decide', 'end'])
    expect(stepIn(removed, 'decide')).toMatchObject({
      dependencies: [],
      conditions: [{ action: { type: 'continue' } }],
    })
    expect(stepIn(removed, 'end')?.['dependencies']).toEqual(['decide'])
    expect(removed.metadata).toEqual({ department: 'news' })
  })

  test('is renamed with all references, unless the ID is taken', () => {
    const renamed = renameStep(placeSteps(flow, new Map([['more', { x: 1, y: 2 }]])), 'more', 'deeper')
    expect(edgesOf(renamed.definition.steps).filter(({ to }) => to === 'deeper')).toHaveLength(2)
    expect(JSON.stringify(renamed)).not.toContain('"more"')
    expect(placesIn(renamed).get('deeper')).toEqual({ x: 1, y: 2 })
    expect(renameStep(flow, 'more', 'end')).toBe(flow)
  })

  test('moves in the list', () => {
    expect(ids(moveStep(flow, 'end', 0))).toEqual(['end', 'ask', 'decide', 'more'])
    expect(ids(moveStep(flow, 'ask', 99))).toEqual(['decide', 'more', 'end', 'ask'])
    expect(ids(moveStep(flow, 'absent', 0))).toEqual(ids(flow))
  })

  test('and the flow have values that are set and removed', () => {
    expect(stepIn(setStepValue(flow, 'more', ['label'], 'More'), 'more')?.['label']).toBe('More')
    expect(setFlowValue(flow, ['label'], 'Other').definition.label).toBe('Other')
  })
})

describe('a connection', () => {
  test('adds a dependency, once, and never a cycle', () => {
    const connected = connect(flow, 'decide', 'more')
    expect(stepIn(connected, 'more')?.['dependencies']).toEqual(['decide'])
    expect(connect(connected, 'decide', 'more')).toEqual(connected)
    expect(wouldCircle(flow, 'end', 'ask')).toBe(true)
    expect(wouldCircle(flow, 'ask', 'ask')).toBe(true)
    expect(connect(flow, 'end', 'ask')).toBe(flow)
  })

  test('from a branch sets the target of the branch', () => {
    const connected = connect(flow, 'decide', 'end', ['conditions', 0, 'action', 'next_step'])
    expect(stepIn(connected, 'decide')).toMatchObject({ conditions: [{ action: { next_step: 'end' } }] })
  })

  test('is removed where it is declared, together with a list it leaves empty', () => {
    const first = edgesOf(flow.definition.steps).find(({ to, kind }) => to === 'decide' && kind === 'needs')
    expect(first).toBeDefined()
    const cut = disconnect(flow, first ?? { said: null })
    expect(stepIn(cut, 'decide')).not.toHaveProperty('dependencies')
    const before = edgesOf(flow.definition.steps).find(({ kind }) => kind === 'before')
    expect(disconnect(flow, before ?? { said: null })).toBe(flow)
  })
})

test('copies get unused IDs, refer to each other by them, and drop references to missing steps', () => {
  const elsewhere: FlowDocument = {
    definition: { id: 'other', label: 'Other', steps: [more, { id: 'more_2', type: 'agent' }] },
    metadata: {},
  }
  const { document, pasted } = pasteSteps(elsewhere, [more, end, decide], {
    places: new Map([['more', { x: 5, y: 5 }]]),
  })
  expect(pasted).toEqual(['more_3', 'end', 'decide'])
  expect(stepIn(document, 'decide')).toMatchObject({
    dependencies: [],
    conditions: [{ action: { next_step: 'more_3' } }],
    default_action: { target_step: 'end' },
  })
  expect(stepIn(document, 'end')?.['dependencies']).toEqual(['decide'])
  expect(placesIn(document)).toEqual(new Map([['more_3', { x: 5, y: 5 }]]))
})

test('copies read the output of copied steps, and otherwise of the original ones', () => {
  const read: DraftStep = {
    id: 'read',
    type: 'ai_prompt',
    prompt: '{{steps.more.score}} {{steps.ask.score}}',
  }
  const both: FlowDocument = { definition: { id: 'x', label: 'X', steps: [more, read] }, metadata: {} }
  const { document } = pasteSteps(both, [more, read])
  expect(stepIn(document, 'read_2')?.['prompt']).toBe('{{steps.more_2.score}} {{steps.ask.score}}')
  expect(stepIn(document, 'read')).toBe(read)
})

test('a replaced definition keeps positions, also of a renamed step', () => {
  const places = new Map([
    ['ask', { x: 1, y: 1 }],
    ['more', { x: 2, y: 2 }],
  ])
  const placed = placeSteps(flow, places)
  const { definition } = placed
  const steps = definition.steps.map((step) => (step.id === 'ask' ? { ...step, id: 'begin' } : step))
  const renamed = replaceDefinition(placed, { ...definition, steps })
  expect(placesIn(renamed)).toEqual(
    new Map([
      ['begin', { x: 1, y: 1 }],
      ['more', { x: 2, y: 2 }],
    ]),
  )
  const fewer = replaceDefinition(placed, { ...definition, steps: definition.steps.slice(1) })
  expect(placesIn(fewer)).toEqual(places)
})
