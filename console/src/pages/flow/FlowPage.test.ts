import { expect, test } from 'vitest'
import { keptPlaces } from './FlowPage.tsx'

const flow_definition = { steps: [{ id: 'a' }, { id: 'b' }] }
const a = { x: 0, y: 8 }
const b = { x: -16.5, y: 80 }

test('places are kept when every step has one, whatever else is there', () => {
  expect(keptPlaces({ flow_definition, metadata: { layout: { a, b, gone: a } } })?.get('b')).toEqual(b)
})

test.each([{}, { layout: null }, { layout: { a } }, { layout: { a, b: { x: 1 } } }])(
  'with %j the flow is laid out',
  (metadata) => {
    expect(keptPlaces({ flow_definition, metadata })).toBeUndefined()
  },
)
