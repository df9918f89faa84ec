import { expect, test } from 'vitest'
import { readFlowSearch } from './flow-search.ts'

test('keeps valid search parameters', () => {
  const search = { search: 'seo', tag: 'press', which: 'mine', page: 3, import: true }
  expect(readFlowSearch(search)).toEqual(search)
})

test.each([
  [{ search: '' }],
  [{ tag: 'x'.repeat(201) }],
  [{ which: 'all' }],
  [{ page: -1 }],
  [{ import: 'yes' }],
])('drops the invalid search parameters %o', (address) => {
  expect(readFlowSearch(address)).toEqual({})
})
