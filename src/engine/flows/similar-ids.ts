import { editDistance } from '../definition/edit-distance.ts'

const maxShown = 5

/** The ids most similar to a given one: with the same words, or differing in few letters. Never throws. */
export function similarIds(wanted: string, ids: readonly string[]): string[] {
  const asked = wanted.toLowerCase().slice(0, 64)
  return ids
    .map((id) => ({ id, far: distance(asked, id) }))
    .filter(({ far }) => far <= 0.5)
    .sort((left, right) => left.far - right.far || (left.id < right.id ? -1 : 1))
    .slice(0, maxShown)
    .map(({ id }) => id)
}

/** From 0 (equal) to 1 (no common words or letters). */
function distance(left: string, right: string): number {
  const [mine, theirs] = [wordsOf(left), wordsOf(right)]
  const shared = [...mine].filter((word) => theirs.has(word)).length
  const byWords = 1 - shared / Math.max(mine.size, theirs.size, 1)
  return Math.min(byWords, editDistance(left, right) / Math.max(left.length, right.length, 1))
}

function wordsOf(id: string): Set<string> {
  return new Set(id.split(/[^a-z0-9]+/).filter((word) => word !== ''))
}
