import { expect, test } from 'vitest'
import { withAccount, withBy, withFilter, withoutCall, withoutKey, withRange } from './change-search.ts'
import { readUsageSearch, type UsageSearch } from './usage-search.ts'

const call = '01a1de68-41e4-7a3d-8c94-3293b2ac3ade'

test('reads all search parameters', () => {
  const search = {
    range: '7d',
    account: 'all',
    key: '01a1de68-41e4-7a3d-8c94-3293b2ac3adf',
    measure: 'tokens',
    by: 'tag',
    model: 'gemma3:4b',
    tag: 'nightly',
    outcome: 'failed',
    call,
  }
  expect(readUsageSearch(search)).toEqual(search)
})

test('drops invalid search parameters', () => {
  expect(
    readUsageSearch({
      range: 'ever',
      measure: 3,
      by: 'model',
      outcome: 'lucky',
      call: '1',
      account: 'x'.repeat(65),
      key: 'x'.repeat(65),
      tag: 'x'.repeat(65),
    }),
  ).toEqual({})
})

test('a choice keeps the other parameters, and leaves out defaults', () => {
  const search: UsageSearch = { range: '7d', account: 'all', by: 'provider', model: 'a', call }
  expect(withRange(search, '30d')).not.toHaveProperty('range')
  expect(withRange(search, '90d')).toMatchObject({ range: '90d', account: 'all' })
  expect(withAccount(search, undefined)).toEqual({ range: '7d', by: 'provider', model: 'a' })
  expect(withAccount({ ...search, key: 'k' }, 'all')).not.toHaveProperty('key')
  expect(withoutKey({ range: '7d', key: 'k', call })).toEqual({ range: '7d' })
  expect(withBy(search, 'model')).not.toHaveProperty('by')
  expect(withBy(search, 'key')).toMatchObject({ by: 'key' })
  const none = { model: undefined, tag: undefined, outcome: undefined }
  expect(withFilter(search, { ...none, outcome: 'lost' })).toMatchObject({ outcome: 'lost' })
  expect(withFilter(search, { ...none, tag: 'nightly' })).toMatchObject({ tag: 'nightly' })
  expect(withFilter({ ...search, tag: 'nightly' }, none)).not.toHaveProperty('model')
  expect(withFilter({ ...search, tag: 'nightly' }, none)).not.toHaveProperty('tag')
  expect(withoutCall(search)).not.toHaveProperty('call')
})
