import { expect, test } from 'vitest'
import { readTourSearch } from './tour-search.ts'

test('an address keeps what makes sense', () => {
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
