import { expect, test } from 'vitest'
import { saneUsage } from './sane-usage.ts'

test('plausible counts stay unchanged', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 0 }
  expect(saneUsage(usage)).toEqual(usage)
  expect(saneUsage({ ...usage, cacheWriteTokens: 6 })).toEqual({ ...usage, cacheWriteTokens: 6 })
})

test.each([-1, 1.5, 1e15, Number.NaN, Number.POSITIVE_INFINITY])('%d is not a valid count', (count) => {
  expect(saneUsage({ inputTokens: count, cachedInputTokens: count, outputTokens: count })).toEqual({
    inputTokens: null,
    cachedInputTokens: null,
    outputTokens: null,
  })
})

test('more cached input than input is not valid', () => {
  expect(saneUsage({ inputTokens: 10, cachedInputTokens: 11, outputTokens: 1 })).toEqual({
    inputTokens: 10,
    cachedInputTokens: null,
    outputTokens: 1,
  })
  const both = { inputTokens: 10, cachedInputTokens: 6, cacheWriteTokens: 6, outputTokens: 1 }
  expect(saneUsage(both)).toMatchObject({ cachedInputTokens: null, cacheWriteTokens: null })
})
