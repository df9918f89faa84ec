import { expect, test } from 'vitest'
import { growthOf, maxGrowth } from '#testing/kernel'
import { normalizeAuthorizeQuery } from './authorize-query.ts'

const noClients = { find: async () => undefined }
const normalize = (search: string) => normalizeAuthorizeQuery(search, noClients)
const manyNames = (count: number) => Array.from({ length: count }, (_, nth) => `p${nth}=1`).join('&')

test('other parameters are removed, repeated ones stay for the provider to refuse', async () => {
  const query = await normalizeAuthorizeQuery(
    'client_id=a&x=1&state=b&state=c&response_mode=fragment',
    noClients,
  )
  expect(query.toString()).toBe('client_id=a&state=b&state=c&response_mode=refused')
})

test('a query of many parameters takes linear time', async () => {
  expect(await growthOf(manyNames, normalize, 16_000)).toBeLessThan(maxGrowth)
})
