import { expect, test } from 'vitest'
import { generateApiKey, hashApiKey, shownPrefix } from './api-keys.ts'

test('generated keys have 40 letters and digits and are unique', () => {
  const keys = Array.from({ length: 200 }, generateApiKey)
  for (const key of keys) expect(key).toMatch(/^tk_[0-9A-Za-z]{40}$/)
  expect(new Set(keys).size).toBe(200)
})

test('all characters are equally frequent', () => {
  const drawn = Array.from({ length: 500 }, () => generateApiKey().slice(3)).join('')
  expect(new Set(drawn).size).toBe(62)
  // 20,000 draws: 2,581 of the first eight letters, give or take 47; a plain remainder of a byte would favour them to 3,125.
  const first = drawn.match(/[0-7]/g)?.length ?? 0
  expect(Math.abs(first - 2581)).toBeLessThan(300)
})

test('the shown prefix has 8 characters of the key', () => {
  const key = generateApiKey()
  expect(key.startsWith(shownPrefix(key))).toBe(true)
  expect(shownPrefix(key)).toHaveLength(8)
  expect(hashApiKey(key)).toHaveLength(32)
})
