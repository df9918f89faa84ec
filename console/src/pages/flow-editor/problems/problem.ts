import type { DraftStep } from '../document/flow-document.ts'

/** A problem the server reports for a draft. */
export interface FlowProblem {
  readonly severity: 'error' | 'warning'
  /** The path, such as `steps[2].conditions[0].action.target_step`; problems of metadata start with `metadata`. */
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
