import { expect, test } from 'vitest'
import { chooseEncoding } from './player-routes.ts'

test.each([
  [undefined, 'plain'],
  ['', 'plain'],
  ['identity', 'plain'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;q=1.0', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0', 'plain'],
  ['br;q=0.5', 'br'],
])('a browser that accepts %s gets %s', (accepted, expected) => {
  expect(chooseEncoding(accepted)).toBe(expected)
})
