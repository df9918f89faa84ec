import { describe, expect, test } from 'vitest'
import { readCacheMode, readFallback } from './gateway-request.ts'

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
])('Cache-Control: %s means %s', (header, mode) => {
  expect(readCacheMode(header)).toBe(mode)
})

describe('X-Model-Fallback', () => {
  test.each([
    [undefined, 'none'],
    ['', 'none'],
    [' , ', 'none'],
    ['none', 'none'],
    ['any', 'any'],
    [' any ', 'any'],
    ['gemma3:4b', ['gemma3:4b']],
    ['gemma3:4b, openai/gpt-4o-mini ,auto', ['gemma3:4b', 'openai/gpt-4o-mini', 'auto']],
    [
      ['a', 'b,c'],
      ['a', 'b', 'c'],
    ],
  ])('%j means %j', (text, meant) => {
    expect(readFallback(text)).toEqual(meant)
  })

  test.each([
    ['any, gemma3:4b', 'must be none, any, or a list'],
    ['gemma3:4b, none', 'must be none, any, or a list'],
    ['a,b,c,d,e,f,g,h,i', 'has 9 models; at most 8 are allowed'],
    ['x'.repeat(513), 'too long'],
  ])('%s is refused', (text, reason) => {
    expect(() => readFallback(text)).toThrow(reason)
  })
})
