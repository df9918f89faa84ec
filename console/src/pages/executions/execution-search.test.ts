import { expect, test } from 'vitest'
import { readExecutionSearch, toggled } from './execution-search.ts'

test('keeps valid search parameters', () => {
  const search = {
    status: 'failed,needs_approval',
    flow: 'seo,draft:a1',
    range: 'yesterday',
    trigger: 'schedule',
    account: '01890000-0000-7000-8000-000000000000',
    version: 3,
    error: 'INVALID_STEP',
    min: 0.5,
    max: 60,
    id: '0189-ab',
    sort: '-duration',
    hide: 'tokens',
  }
  expect(readExecutionSearch({ ...search, id: '0189-AB' })).toEqual(search)
})

test.each([
  [{ status: 'odd' }],
  [{ flow: 'x'.repeat(201) }],
  [{ flow: 'No flow' }],
  [{ id: 'no id' }],
  [{ range: 'ever' }],
  [{ from: 'soon' }],
  [{ trigger: 'constructor' }],
  [{ account: 'me' }],
  [{ version: 1.5 }],
  [{ min: -1, max: 'long' }],
  [{ sort: 'label' }],
  [{ hide: 'state' }],
  [{ page: 2, as_of: '01890000-0000-7000-8000-000000000000' }],
])('drops the invalid search parameters %o', (address) => {
  expect(readExecutionSearch(address)).toEqual({})
})

test('keeps the valid entries of a list, each once', () => {
  expect(readExecutionSearch({ status: 'failed,odd,failed,running' })).toEqual({ status: 'failed,running' })
  const many = Array.from({ length: 30 }, (_, index) => `flow_${index}`).join(',')
  expect(readExecutionSearch({ flow: many }).flow?.split(',')).toHaveLength(20)
})

test('adds an entry to a list and removes it again', () => {
  expect(toggled(undefined, 'failed')).toBe('failed')
  expect(toggled('failed', 'running')).toBe('failed,running')
  expect(toggled('failed', 'failed')).toBeUndefined()
})

test('keeps the view in real time with its own filter only', () => {
  const live = { view: 'live', kind: 'workflow_failed' }
  expect(readExecutionSearch({ ...live, status: 'failed', min: 2 })).toEqual(live)
  expect(readExecutionSearch({ view: 'live', kind: 'constructor' })).toEqual({ view: 'live' })
  expect(readExecutionSearch({ view: 'other', kind: 'workflow_failed' })).toEqual({})
})
