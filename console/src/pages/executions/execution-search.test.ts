import { expect, test } from 'vitest'
import { readExecutionSearch } from './execution-search.ts'

test('keeps valid search parameters', () => {
  const asOf = '01890000-0000-7000-8000-000000000000'
  expect(readExecutionSearch({ status: 'failed', flow: 'seo', id: '0189-AB', page: 2, as_of: asOf })).toEqual(
    { status: 'failed', flow: 'seo', id: '0189-ab', page: 2, as_of: asOf },
  )
})

test.each([
  [{ status: 'odd' }],
  [{ flow: 'x'.repeat(201) }],
  [{ id: 'no id' }],
  [{ page: 0 }],
  [{ as_of: '01890000-0000-7000-8000-000000000000' }],
  [{ page: 'two', as_of: 7 }],
])('drops the invalid search parameters %o', (address) => {
  expect(readExecutionSearch(address)).toEqual({})
})

test('keeps the view in real time with its own filter only', () => {
  const live = { view: 'live', kind: 'workflow_failed' }
  expect(readExecutionSearch({ ...live, status: 'failed', page: 2 })).toEqual(live)
  expect(readExecutionSearch({ view: 'live', kind: 'constructor' })).toEqual({ view: 'live' })
  expect(readExecutionSearch({ view: 'other', kind: 'workflow_failed' })).toEqual({})
})
