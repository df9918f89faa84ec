import { editDistance } from '../definition/edit-distance.ts'

const mostShown = 5

/** The ids somebody may have meant: those that have the same words in them, or differ by few letters. */
export function similarIds(wanted: string, ids: readonly string[]): string[] {
  const asked = wanted.toLowerCase().slice(0, 64)
  return ids
    .map((id) => ({ id, far: distance(asked, id) }))
    .filter(({ far }) => far <= 0.5)
    .sort((left, right) => left.far - right.far || (left.id < right.id ? -1 : 1))
    .slice(0, mostShown)
    .map(({ id }) => id)
}

/** 0 for the same, 1 for nothing in common. */
function distance(left: string, right: string): number {
  const [mine, theirs] = [wordsOf(left), wordsOf(right)]
  const shared = [...mine].filter((word) => theirs.has(word)).length
  const byWords = 1 - shared / Math.max(mine.size, theirs.size, 1)
  return Math.min(byWords, editDistance(left, right) / Math.max(left.length, right.length, 1))
}

function wordsOf(id: string): Set<string> {
  return new Set(id.split(/[^a-z0-9]+/).filter((word) => word !== ''))
}
