import { expect, test } from 'vitest'
import { readRange, resolveRange } from './time-range.ts'

const now = new Date(2031, 4, 20, 15, 30)

test('a day begins at midnight of the browser', () => {
  expect(resolveRange({ range: 'yesterday' }, now)).toEqual({
    since: new Date(2031, 4, 19).toISOString(),
    until: new Date(2031, 4, 20).toISOString(),
  })
  expect(resolveRange({ range: 'today' }, now)).toEqual({ since: new Date(2031, 4, 20).toISOString() })
})

test.each([
  ['1h', 1],
  ['24h', 24],
  ['7d', 168],
  ['30d', 720],
] as const)('%s reaches %i hours back', (range, hours) => {
  expect(resolveRange({ range }, now)).toEqual({
    since: new Date(now.getTime() - hours * 3_600_000).toISOString(),
  })
})

test('times of their own are kept, and without any all time is meant', () => {
  const from = '2031-05-01T00:00:00.000Z'
  expect(resolveRange({ from }, now)).toEqual({ since: from })
  expect(resolveRange({}, now)).toEqual({})
})

test('an address is read without what is invalid', () => {
  expect(readRange({ range: 'today', from: '2031-05-01' })).toEqual({ range: 'today' })
  expect(readRange({ range: 'odd', from: '2031-05-01T00:00:00Z', to: 'soon' })).toEqual({
    from: '2031-05-01T00:00:00.000Z',
  })
  expect(readRange({ from: 7, to: '+099999-01-01T00:00:00Z' })).toEqual({})
})
