import type { ExecutionEvent, ExecutionRecord } from '#engine'
import { dollars } from '../units.ts'

type StepOutcome = ExecutionRecord['outcomes'][number]

interface Cost {
  /** Dollars. */
  readonly cost: number
  /** Whether a model without a known price was called; it counts as 0. */
  readonly unpriced: boolean
}

/** The total cost of step outcomes. */
export function costOf(outcomes: readonly Pick<StepOutcome, 'spent'>[]): Cost {
  return {
    cost: dollars(outcomes.reduce((sum, { spent }) => sum + (spent ?? 0), 0)),
    unpriced: outcomes.some(({ spent }) => spent === null),
  }
}

/** The cost in an event. Earlier releases wrote null for an unpriced cost. */
export function costIn(data: ExecutionEvent['data']): Cost {
  const { cost, unpriced } = data
  return typeof cost === 'number' ? { cost, unpriced: unpriced === true } : { cost: 0, unpriced: true }
}
