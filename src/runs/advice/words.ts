/** Words that tell nothing about what a text is for. */
const empty = new Set(
  'a an and are as at be by for from in into is it of on or that the this to up with your our their its content text flow workflow'.split(
    ' ',
  ),
)

/** The telling words of a text, in a form in which `Articles` and `article` are the same. */
export function wordsOf(text: string): string[] {
  return [
    ...text
      .normalize('NFKC')
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu),
  ]
    .map(([word]) => stem(word))
    .filter((word) => !empty.has(word))
}

/** How much of what was said is in these words, from 0 to 1. Null when nothing telling was said. */
export function shareIn(text: string, words: ReadonlySet<string>): number | null {
  const wanted = [...new Set(wordsOf(text))]
  if (wanted.length === 0) return null
  return wanted.filter((word) => words.has(word)).length / wanted.length
}

/** Only what is the same in every English word is taken off: more would join words that differ. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}
