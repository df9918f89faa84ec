import { describe, expect, test } from 'vitest'
import { shareIn, wordsOf } from './criteria.ts'

describe('words', () => {
  test('are the same in singular and plural, in any case', () => {
    expect(wordsOf('Articles and Categories')).toEqual(wordsOf('an article, category'))
    expect(wordsOf('Analysis of a class')).toEqual(['analysis', 'class'])
  })

  test('of any script count', () => {
    expect(wordsOf('Über_Größe 製品')).toEqual(['über', 'größe', '製品'])
  })

  test('a share counts the words of the text that are in the set', () => {
    const words = new Set(wordsOf('product descriptions for shops'))
    expect(shareIn('Product description', words)).toBe(1)
    expect(shareIn('product video', words)).toBe(0.5)
    expect(shareIn('novel', words)).toBe(0)
    expect(shareIn('of the', words)).toBeNull()
  })
})
