import type { Step } from './tour-document.ts'

/** How many elements a selector finds in the page, or that no browser understands it. */
export interface Count {
  readonly matches: number
  readonly valid: boolean
}

export interface Standing {
  readonly tone: 'good' | 'warn' | 'bad' | 'idle'
  /** A few words, for the list. */
  readonly word: string
  /** What it means, for the open step. */
  readonly sentence: string
}

interface Surroundings {
  readonly counts: ReadonlyMap<string, Count>
  /** The page that is open is one the step shows on. */
  readonly isHere: boolean
}

/** How a step stands in the page that is open; undefined while nobody knows, or when it needs no element. */
export function standingOf(step: Step, { counts, isHere }: Surroundings): Standing | undefined {
  if (step.location === 'center') return undefined
  if (step.selector.trim() === '') {
    return {
      tone: 'bad',
      word: 'No element',
      sentence: 'Pick its element, or put it in the centre of the page.',
    }
  }
  const count = counts.get(step.selector)
  if (count === undefined) return undefined
  if (!count.valid) {
    return { tone: 'bad', word: 'Not a selector', sentence: 'No browser understands this selector.' }
  }
  if (!isHere) {
    return {
      tone: 'idle',
      word: 'Another page',
      sentence: 'This step shows on another page than the one that is open.',
    }
  }
  if (count.matches === 0) return missing(step, counts)
  if (count.matches === 1)
    return { tone: 'good', word: 'Found', sentence: 'Matches one element of this page.' }
  return {
    tone: 'warn',
    word: `${count.matches} matches`,
    sentence: `Matches ${count.matches} elements of this page. ${
      step.targetText === null
        ? 'The first one that can be seen is taken.'
        : `The one that says “${step.targetText}” is taken, or else the first that can be seen.`
    }`,
  }
}

function missing({ candidates }: Step, counts: ReadonlyMap<string, Count>): Standing {
  const found = candidates.find((candidate) => (counts.get(candidate)?.matches ?? 0) > 0)
  if (found !== undefined) {
    return {
      tone: 'warn',
      word: 'By a fallback',
      sentence: `Its selector matches nothing on this page; ${found} finds it instead.`,
    }
  }
  return {
    tone: 'warn',
    word: 'No match',
    sentence:
      'Matches nothing on this page as it is now. Visitors who never see its element do not see this step.',
  }
}

/** Every selector a tour needs to know about. */
export function selectorsOf(steps: readonly Step[]): string[] {
  const all = steps
    .filter(({ location }) => location !== 'center')
    .flatMap(({ selector, candidates }) => [selector, ...candidates])
  return [...new Set(all)].filter((selector) => selector.trim() !== '')
}
