import type { Step } from './tour-document.ts'

/** The number of elements a selector matches in the page, and whether browsers accept the selector. */
export interface Count {
  readonly matches: number
  readonly valid: boolean
}

export interface ElementStatus {
  readonly tone: 'good' | 'warn' | 'bad' | 'idle'
  /** A short text, for the list. */
  readonly word: string
  /** The explanation, for the open step. */
  readonly sentence: string
}

interface Surroundings {
  readonly counts: ReadonlyMap<string, Count>
  /** Whether the step is shown on the open page. */
  readonly isHere: boolean
}

/** The status of a step's element in the open page; undefined while unknown, or for a step without an element. */
export function elementStatusOf(step: Step, { counts, isHere }: Surroundings): ElementStatus | undefined {
  if (step.location === 'center') return undefined
  if (step.selector.trim() === '') {
    return {
      tone: 'bad',
      word: 'No element',
      sentence: 'Pick an element, or centre the step on the page.',
    }
  }
  const count = counts.get(step.selector)
  if (count === undefined) return undefined
  if (!count.valid) {
    return { tone: 'bad', word: 'Invalid selector', sentence: 'This is not a valid CSS selector.' }
  }
  if (!isHere) {
    return {
      tone: 'idle',
      word: 'Another page',
      sentence: 'This step appears on another page than the open one.',
    }
  }
  if (count.matches === 0) return missing(step, counts)
  if (count.matches === 1)
    return { tone: 'good', word: 'Found', sentence: 'Matches one element on this page.' }
  return {
    tone: 'warn',
    word: `${count.matches} matches`,
    sentence: `Matches ${count.matches} elements on this page. ${
      step.targetText === null
        ? 'The first visible one is used.'
        : `The one with the text “${step.targetText}” is used, or else the first visible one.`
    }`,
  }
}

function missing({ candidates }: Step, counts: ReadonlyMap<string, Count>): ElementStatus {
  const found = candidates.find((candidate) => (counts.get(candidate)?.matches ?? 0) > 0)
  if (found !== undefined) {
    return {
      tone: 'warn',
      word: 'Fallback used',
      sentence: `Its selector matches nothing on this page; ${found} finds it instead.`,
    }
  }
  return {
    tone: 'warn',
    word: 'No match',
    sentence:
      'Matches nothing on this page now. Visitors without the element see a message, and can skip the step.',
  }
}

/** All selectors of the steps, to be counted in the page. */
export function selectorsOf(steps: readonly Step[]): string[] {
  const all = steps
    .filter(({ location }) => location !== 'center')
    .flatMap(({ selector, candidates }) => [selector, ...candidates])
  return [...new Set(all)].filter((selector) => selector.trim() !== '')
}
