import { describe, expect, test } from 'vitest'
import { readFallback } from './read-fallback.ts'

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
    ['any, gemma3:4b', 'either none, any, or a list'],
    ['gemma3:4b, none', 'either none, any, or a list'],
    ['a,b,c,d,e,f,g,h,i', 'names 9 models, and may name 8'],
    ['x'.repeat(513), 'too long'],
  ])('%s is refused', (text, reason) => {
    expect(() => readFallback(text)).toThrow(reason)
  })
})
