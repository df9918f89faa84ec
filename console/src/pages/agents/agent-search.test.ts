import { expect, test } from 'vitest'
import { readAgentSearch } from './agent-search.ts'

test('keeps what makes sense', () => {
  const search = { search: 'seo', category: 'validation', sort: 'cost' }
  expect(readAgentSearch(search)).toEqual(search)
})

test.each([[{ search: ' ' }], [{ category: 'music' }], [{ sort: 'name' }], [{ sort: 'price' }]])(
  'leaves out %o',
  (address) => {
    expect(readAgentSearch(address)).toEqual({})
  },
)
