import { expect, test } from 'vitest'
import { readTourSearch } from './tour-search.ts'

test('reading an address keeps only valid parameters', () => {
  expect(
    readTourSearch({ search: 7, state: 'draft', page: '2', create: 'template', template: 'basic' }),
  ).toEqual({
    search: '7',
    state: 'draft',
    page: 2,
    create: 'template',
    template: 'basic',
  })
  expect(readTourSearch({ search: ' ', state: 'gone', page: 0, create: true, template: {} })).toEqual({})
})
