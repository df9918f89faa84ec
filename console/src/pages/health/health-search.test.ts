import { expect, test } from 'vitest'
import { readHealthSearch } from './health-search.ts'

test('keeps the time range and the open drawer', () => {
  expect(readHealthSearch({ range: '30d', service: 'vector_db' })).toEqual({
    range: '30d',
    service: 'vector_db',
  })
  expect(readHealthSearch({ create: 'maintenance' })).toEqual({ create: 'maintenance' })
  expect(readHealthSearch({ configure: true })).toEqual({ configure: true })
})

test('drops defaults and invalid values', () => {
  expect(
    readHealthSearch({ range: '24h', service: '../x', incident: ' ', create: 'trouble', configure: 'yes' }),
  ).toEqual({})
  expect(readHealthSearch({ range: '7d' })).toEqual({})
})
