import { expect, test } from 'vitest'
import { readWorkflowSearch } from './workflow-search.ts'

test('keeps valid search parameters', () => {
  const search = { search: 'seo', page: 2, run: 'text_insights', tab: 'advice', asked: true, language: 'de' }
  expect(readWorkflowSearch(search)).toEqual(search)
})

test.each([
  [{ search: '' }],
  [{ page: 0 }],
  [{ run: 'x'.repeat(201) }],
  [{ tab: 'list' }],
  [{ asked: 'yes' }],
])('drops the invalid search parameters %o', (address) => {
  expect(readWorkflowSearch(address)).toEqual({})
})
