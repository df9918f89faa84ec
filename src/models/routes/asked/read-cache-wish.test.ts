import { expect, test } from 'vitest'
import { readCacheWish } from './read-cache-wish.ts'

test.each([
  [undefined, 'use'],
  ['', 'use'],
  ['max-age=60', 'use'],
  ['private, immutable', 'use'],
  ['no-cache', 'refresh'],
  ['No-Cache', 'refresh'],
  ['max-age=0', 'refresh'],
  ['max-age=60,  no-cache', 'refresh'],
  ['no-store', 'off'],
  ['no-cache, no-store', 'off'],
])('Cache-Control: %s means %s', (header, wish) => {
  expect(readCacheWish(header)).toBe(wish)
})
