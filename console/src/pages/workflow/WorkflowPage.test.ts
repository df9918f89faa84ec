import { expect, test } from 'vitest'
import { keptPlaces } from './WorkflowPage.tsx'

const flow_definition = { steps: [{ id: 'a' }, { id: 'b' }] }
const a = { x: 0, y: 8 }
const b = { x: -16.5, y: 80 }

test('keeps the stored layout when it has a position for every step', () => {
  expect(keptPlaces({ flow_definition, metadata: { layout: { a, b, gone: a } } })?.get('b')).toEqual(b)
})

test.each([{}, { layout: null }, { layout: { a } }, { layout: { a, b: { x: 1 } } }])(
  'ignores the incomplete layout %j',
  (metadata) => {
    expect(keptPlaces({ flow_definition, metadata })).toBeUndefined()
  },
)
