import type { FlowDocument } from '../document/flow-document.ts'
import { type FlowProblem, problemsByStep } from '../problems/problem.ts'
import { countProblems } from '../problems/problem-words.ts'

/** The problem count of one step. */
export interface ProblemCount {
  /** The count in words: `1 problem, 2 warnings`. */
  readonly words: string
  /** Whether the problems prevent saving. */
  readonly isGrave: boolean
  /** The most severe problem, which a click opens. */
  readonly first: { readonly path: string; readonly message: string }
}

/** The problem counts of the steps, by ID. A container also counts those of the steps inside. */
export function countByStep(
  problems: readonly FlowProblem[],
  document: FlowDocument,
): ReadonlyMap<string, ProblemCount> {
  return new Map(
    [...problemsByStep(problems, document)].flatMap(([id, same]) => {
      const error = same.find(({ severity }) => severity === 'error')
      const first = error ?? same[0]
      if (first === undefined) return []
      const { path, message } = first
      return [[id, { words: countProblems(same), isGrave: error !== undefined, first: { path, message } }]]
    }),
  )
}
