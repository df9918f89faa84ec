/** Scripts that put no blanks between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const hangul = /\p{Script=Hangul}/u

/** How most of the words are written. `syllabic` has blanks, and a sign for each syllable. */
export function writingSystemOf(words: readonly string[]): 'spaced' | 'unspaced' | 'syllabic' {
  const share = (script: RegExp) => words.filter((word) => script.test(word)).length / words.length
  if (share(unspaced) > 0.5) return 'unspaced'
  return share(hangul) > 0.5 ? 'syllabic' : 'spaced'
}
