import type { DraftStep } from '../document/flow-document.ts'

/** Something the platform says about a draft. */
export interface FlowProblem {
  readonly severity: 'error' | 'warning'
  /** Where, such as `steps[2].conditions[0].action.target_step`; `metadata` begins what is said about those. */
  readonly path: string
  readonly message: string
  readonly code: string
}

/** The problems of one step, with the path inside the step: `conditions[0].action.target_step`. */
export function problemsOfStep(
  problems: readonly FlowProblem[],
  steps: readonly DraftStep[],
  id: string,
): readonly FlowProblem[] {
  const start = `steps[${steps.findIndex((step) => step.id === id)}]`
  return problems.flatMap((problem) => {
    const { path } = problem
    if (path !== start && !path.startsWith(`${start}.`)) return []
    return [{ ...problem, path: path.slice(start.length + 1) }]
  })
}
