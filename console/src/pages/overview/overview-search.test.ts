import { expect, test } from 'vitest'
import { readOverviewSearch } from './overview-search.ts'

const [from, to] = ['2026-11-17T08:00:00.000Z', '2026-11-17T09:30:00.000Z']

test.each([
  [{}, {}],
  [{ timeframe: '24h' }, {}],
  [{ timeframe: '7d' }, { timeframe: '7d' }],
  [{ timeframe: '1y' }, {}],
  [
    { from, to },
    { from, to },
  ],
  [{ from: to, to: from }, {}],
  [{ from }, {}],
  [{ from: 'yesterday', to }, {}],
  [{ tab: 'system', timeframe: '7d' }, { tab: 'system' }],
])('reads %j as %j', (address, search) => {
  expect(readOverviewSearch(address)).toEqual(search)
})
