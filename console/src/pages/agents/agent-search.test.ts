import { expect, test } from 'vitest'
import { readAgentSearch } from './agent-search.ts'

test('keeps valid search parameters', () => {
  const search = { search: 'seo', category: 'validation' }
  expect(readAgentSearch(search)).toEqual(search)
})

test.each([[{ search: ' ' }], [{ category: 'music' }], [{ sort: 'cost' }]])(
  'drops the invalid search parameters %o',
  (address) => {
    expect(readAgentSearch(address)).toEqual({})
  },
)
