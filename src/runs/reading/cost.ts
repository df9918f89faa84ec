import type { ExecutionEvent, StepOutcome } from '#engine'
import { dollars } from './units.ts'

interface Cost {
  /** Dollars. */
  readonly cost: number
  /** A model whose price is not known answered, and counts as 0. */
  readonly unpriced: boolean
}

/** What some runs of steps cost together. */
export function costOf(outcomes: readonly Pick<StepOutcome, 'spent'>[]): Cost {
  return {
    cost: dollars(outcomes.reduce((sum, { spent }) => sum + (spent ?? 0), 0)),
    unpriced: outcomes.some(({ spent }) => spent === null),
  }
}

/** What an event tells of a cost. Earlier releases wrote null for what is unpriced now. */
export function costIn(data: ExecutionEvent['data']): Cost {
  const { cost, unpriced } = data
  return typeof cost === 'number' ? { cost, unpriced: unpriced === true } : { cost: 0, unpriced: true }
}
