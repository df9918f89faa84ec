import { describe, expect, test } from 'vitest'
import type { FlowDocument } from '../document/flow-document.ts'
import { copySteps, movedAside, readSteps, writeSteps } from './copied-steps.ts'

const steps = ['a', 'b', 'c'].map((id) => ({ id, type: 'data_transform' }))
const document: FlowDocument = {
  definition: { id: 'flow', label: 'Flow', steps },
  metadata: { layout: { a: { x: 1, y: 2 }, c: { x: 3, y: 4 } } },
}
const idsOf = (text: string) => {
  const read = readSteps(text)
  return 'problem' in read ? read.problem : read.steps.map(({ id }) => id)
}

describe('steps on the clipboard', () => {
  test('are read back as written, in the order of the flow, with their positions', () => {
    const copied = copySteps(document, ['c', 'b'])
    expect(copied.steps.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(readSteps(writeSteps(copied))).toEqual(copied)
    expect(JSON.parse(writeSteps(copied))).toMatchObject({ tutti: 'steps', layout: { c: { x: 3, y: 4 } } })
  })

  test('may be one step, a list of steps, a definition or an exported flow', () => {
    expect(idsOf(JSON.stringify(steps[0]))).toEqual(['a'])
    expect(idsOf(JSON.stringify(steps))).toEqual(['a', 'b', 'c'])
    expect(idsOf(JSON.stringify(document.definition))).toEqual(['a', 'b', 'c'])
    const { definition, metadata } = document
    const read = readSteps(` ${JSON.stringify({ flow_definition: definition, metadata }, null, 2)}\n`)
    expect(read).toMatchObject({ steps })
    expect('places' in read && [...read.places.keys()]).toEqual(['a', 'c'])
  })

  test('that are invalid are reported', () => {
    const neither = 'The clipboard contains neither steps nor a workflow.'
    expect(idsOf(' ')).toBe('The clipboard contains no text.')
    expect(['hello', '{', '12', 'null', '{"a": 1}', '{"steps": {}}'].map(idsOf)).toEqual(
      Array.from({ length: 6 }, () => neither),
    )
    expect(idsOf('[]')).toBe('The workflow on the clipboard has no steps.')
    expect(idsOf('[1]')).toBe('steps[0] must be an object.')
    expect(idsOf('{"type": "agent"}')).toBe('steps[0].id must be a string.')
    expect(idsOf('[{"id": "a", "type": "x"}, {"id": "a", "type": "x"}]')).toBe(
      'steps[1].id: "a" is used by another step.',
    )
  })

  test('have no positions of other steps, and no invalid ones', () => {
    const read = readSteps('{"steps": [{"id": "a", "type": "x"}], "layout": {"a": 1, "b": {"x": 1, "y": 2}}}')
    expect('places' in read && [...read.places]).toEqual([])
  })
})

test('copies are offset from their originals', () => {
  expect([...movedAside(new Map([['a', { x: -10, y: 0 }]]))]).toEqual([['a', { x: 22, y: 32 }]])
})
