import type { DraftStep } from '../document/flow-document.ts'
import { type Scope, stepsInside } from '../document/scopes.ts'
import { detailsOf, type StepDetails } from './step-details.ts'

/** One row of the step list. */
export interface ListRow {
  readonly step: DraftStep
  readonly within: Scope
  /** The number of containers between the open scope and the step. */
  readonly depth: number
  /** The position in the scope of the step. */
  readonly index: number
  readonly isLast: boolean
  /** The position as people read it: `3.1` is the first step inside of the third. */
  readonly number: string
  readonly details: StepDetails
}

interface RowsOptions {
  readonly within: Scope
  readonly depth: number
  /** The number of the container, with a full stop. */
  readonly above: string
}

/** The rows of a scope: each container is followed by its steps. */
export function rowsOf(
  steps: readonly DraftStep[],
  { within, depth, above }: RowsOptions,
): readonly ListRow[] {
  const details = detailsOf(steps)
  return steps.flatMap((step, index) => {
    const number = `${above}${index + 1}`
    const row: ListRow = {
      step,
      within,
      depth,
      index,
      isLast: index === steps.length - 1,
      number,
      details: details[index] ?? noDetails,
    }
    const inner = { within: step.id, depth: depth + 1, above: `${number}.` }
    return [row, ...rowsOf(stepsInside(step), inner)]
  })
}

const noDetails: StepDetails = { arrival: '', branches: [], moreBranches: 0, isDormant: false }
