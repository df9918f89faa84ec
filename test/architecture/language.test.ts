import { expect, test } from 'vitest'
import { findRetiredWords } from '../../scripts/check-language.ts'

const wordsIn = (text: string, path = 'src/engine/any.ts') =>
  findRetiredWords(path, text).map(({ word }) => word)

test.each([
  ['alone, and at the start of a sentence', 'a purse. Purses', ['purse', 'Purses']],
  ['inside camelCase', 'createDayPurse(purseOf)', ['Purse', 'purse']],
  ['as a phrase, with a space or a hyphen', 'under way, Under-way', ['under way', 'Under-way']],
  ['as a prefix of an identifier', 'mostRows + longestName', ['mostRows', 'longestName']],
])('a retired word is found %s', (_, text, words) => {
  expect(wordsIn(text)).toEqual(words)
})

test.each([
  ['a word that only contains it', 'pursed, brooms, mosty'],
  ['the name of a table or a field', 'engine_purse, purse_id, telling_passages'],
  ['an adverb', 'most of them, the longest path'],
  ['an identifier with the ordinary meaning', 'mostRecent, longestPath'],
])('%s is no retired word', (_, text) => {
  expect(wordsIn(text)).toEqual([])
})

test('a finding names the line and the word to use', () => {
  expect(findRetiredWords('docs/any.md', 'one\ntwo vitals')).toEqual([
    { line: 2, word: 'vitals', use: 'metrics history' },
  ])
})

test('a file that must keep a word is excepted for that word alone', () => {
  expect(wordsIn('sealed, purse', 'src/kernel/idempotency/claims.ts')).toEqual(['purse'])
})

test.each([
  ['alone', "owner: 'kernel-vitals'", []],
  ['but not beside other uses', "vitals, 'kernel-vitals', vitals", ['vitals', 'vitals']],
])('a stored name may contain a retired word, %s', (_, text, words) => {
  expect(wordsIn(text)).toEqual(words)
})
