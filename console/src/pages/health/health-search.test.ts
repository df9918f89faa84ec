import { expect, test } from 'vitest'
import { readHealthSearch } from './health-search.ts'

test('the address keeps how far back the page looks, and the one thing that is open', () => {
  expect(readHealthSearch({ range: '30d', service: 'vector_db' })).toEqual({
    range: '30d',
    service: 'vector_db',
  })
  expect(readHealthSearch({ create: 'maintenance' })).toEqual({ create: 'maintenance' })
  expect(readHealthSearch({ configure: true })).toEqual({ configure: true })
})

test('what goes without saying or makes no sense is left out', () => {
  expect(
    readHealthSearch({ range: '24h', service: '../x', incident: ' ', create: 'trouble', configure: 'yes' }),
  ).toEqual({})
  expect(readHealthSearch({ range: '7d' })).toEqual({})
})
