import { expect, test } from 'vitest'
import { readWorkflowSearch } from './workflow-search.ts'

test('keeps valid search parameters', () => {
  const search = {
    search: 'seo',
    tag: 'press',
    kind: 'agents',
    which: 'mine',
    state: 'disabled',
    sort: '-changed',
    import: true,
    agents: 'translator',
  }
  expect(readWorkflowSearch(search)).toEqual(search)
})

test.each([
  [{ search: '' }],
  [{ tag: 'x'.repeat(201) }],
  [{ which: 'all' }],
  [{ kind: 'prompts' }],
  [{ import: 'yes' }],
])('drops the invalid search parameters %o', (address) => {
  expect(readWorkflowSearch(address)).toEqual({})
})
