/** A number with the separators of any country; blanks only where they cannot break a line. */
const number = /\d+(?:[.,'’\u00a0\u202f]\d+)*/g

/**
 * The digits of each number, without separators: 1,234.5 and 1.234,5 are the same. Years and amounts count; a single digit does not,
 * for it may as well be written as a word.
 */
export function numbersIn(text: string): ReadonlySet<string> {
  const digits = [...text.matchAll(number)].map(([found]) => found.replaceAll(/\D/g, ''))
  return new Set(digits.filter((found) => found.length > 1))
}
