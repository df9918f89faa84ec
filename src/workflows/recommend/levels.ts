/** How people grade complexity and experience, in three steps. */
const grades: readonly (readonly string[])[] = [
  ['low', 'simple', 'basic', 'easy', 'beginner', 'novice', 'junior'],
  ['medium', 'moderate', 'intermediate', 'standard', 'normal'],
  ['high', 'complex', 'advanced', 'expert', 'difficult', 'senior', 'professional'],
]

/** 0, 1 or 2; null for words that are none of these. */
export function levelOf(word: string | undefined): number | null {
  const found = grades.findIndex((names) => names.includes((word ?? '').trim().toLowerCase()))
  return found < 0 ? null : found
}
