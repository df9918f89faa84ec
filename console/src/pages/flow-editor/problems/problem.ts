import type { FlowDocument } from '../document/flow-document.ts'
import { placeOfStep, stepAtPath } from '../document/scopes.ts'

/** A problem the server reports for a draft. */
export interface FlowProblem {
  readonly severity: 'error' | 'warning'
  /** The path, such as `steps[2].conditions[0].action.target_step`; problems of metadata start with `metadata`. */
  readonly path: string
  readonly message: string
  readonly code: string
}

/** The problems of one step, without those of the steps inside, with the path inside the step: `conditions[0].action.target_step`. */
export function problemsOfStep(
  problems: readonly FlowProblem[],
  document: FlowDocument,
  id: string,
): readonly FlowProblem[] {
  return problems.flatMap((problem) => {
    const at = stepAtPath(document, problem.path)
    return at?.step.id === id ? [{ ...problem, path: at.rest }] : []
  })
}

/** The problems by the ID of their step. A container also has those of the steps inside. */
export function problemsByStep(
  problems: readonly FlowProblem[],
  document: FlowDocument,
): ReadonlyMap<string, readonly FlowProblem[]> {
  const byStep = new Map<string, FlowProblem[]>()
  for (const problem of problems) {
    const at = stepAtPath(document, problem.path)
    if (at === undefined) continue
    const around = placeOfStep(document, at.step.id)?.around ?? []
    for (const { id } of [...around, at.step]) byStep.set(id, [...(byStep.get(id) ?? []), problem])
  }
  return byStep
}
