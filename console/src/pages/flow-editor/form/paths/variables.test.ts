import { expect, test } from 'vitest'
import type { FlowDocument } from '../../document/flow-document.ts'
import { variablesFor } from './variables.ts'

const document: FlowDocument = {
  definition: {
    id: 'f',
    label: 'F',
    steps: [
      { id: 'find', type: 'external_api', output_to_memory: 'found' },
      {
        id: 'each',
        type: 'for_each',
        items: 'found.rows',
        steps: [
          {
            id: 'inner',
            type: 'data_transform',
            transformations: [{ operation: 'map', source: 'item.tags' }],
          },
        ],
      },
    ],
  },
  metadata: {},
}
const known = {
  document,
  sample: { language: 'de', content: 'long' },
  outputs: new Map([['find', { rows: [{ name: 'one', tags: ['a', 'b'] }] }]]),
}

test('an expression gets the values it names, from the sample and from outputs', () => {
  const variables = variablesFor(known, 'each', {
    expression: 'language == "de" && size(found.rows) > steps.find.rows',
    path: ['items'],
  })
  expect(variables).toEqual({
    language: 'de',
    found: { rows: [{ name: 'one', tags: ['a', 'b'] }] },
    steps: { find: { rows: [{ name: 'one', tags: ['a', 'b'] }] } },
  })
})

test('inside of a container the first item stands for all; a transformation reads the entries of its list', () => {
  expect(
    variablesFor(known, 'inner', { expression: 'item.name', path: ['conditions', 0, 'expression'] }),
  ).toEqual({
    item: { name: 'one', tags: ['a', 'b'] },
  })
  const path = ['transformations', 0, 'expression']
  expect(variablesFor(known, 'inner', { expression: 'item + string(index)', path })).toEqual({
    item: 'a',
    index: 0,
  })
})

test('large data is left out', () => {
  const sample = { content: 'x'.repeat(300_000) }
  expect(variablesFor({ ...known, sample }, 'each', { expression: 'content', path: [] })).toBeUndefined()
})
