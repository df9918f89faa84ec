/** Words without meaning for the topic of a text. */
const stopWords = new Set(
  'a an and are as at be by for from in into is it of on or that the this to up with your our their its content text flow workflow'.split(
    ' ',
  ),
)

/** The words of a text without stop words, stemmed: `Articles` and `article` are the same. */
export function wordsOf(text: string): string[] {
  return [
    ...text
      .normalize('NFKC')
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu),
  ]
    .map(([word]) => stem(word))
    .filter((word) => !stopWords.has(word))
}

/** The share of the words of a text that are in the set, from 0 to 1; null when the text has only stop words. */
export function shareIn(text: string, words: ReadonlySet<string>): number | null {
  const wanted = [...new Set(wordsOf(text))]
  if (wanted.length === 0) return null
  return wanted.filter((word) => words.has(word)).length / wanted.length
}

/** Removes plural endings only: more would join different words. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}
