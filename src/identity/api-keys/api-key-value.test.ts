import { expect, test } from 'vitest'
import { generateApiKey, hashApiKey, shownPrefix } from './api-key-value.ts'

test('keys are long, of letters and digits only, and never the same', () => {
  const keys = Array.from({ length: 200 }, generateApiKey)
  for (const key of keys) expect(key).toMatch(/^tk_[0-9A-Za-z]{40}$/)
  expect(new Set(keys).size).toBe(200)
})

test('every letter comes about as often as any other', () => {
  const counts = new Map<string, number>()
  for (const letter of Array.from({ length: 500 }, () => generateApiKey().slice(3)).join('')) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  // 20,000 draws of 62 letters: 323 each, give or take; a letter favoured by the modulo would have 400.
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - 323)).toBeLessThan(110)
})

test('what is shown of a key is not enough to use it', () => {
  const key = generateApiKey()
  expect(key.startsWith(shownPrefix(key))).toBe(true)
  expect(shownPrefix(key)).toHaveLength(8)
  expect(hashApiKey(key)).toHaveLength(32)
})
