import type { FlowProblem } from '../problems/problem.ts'
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

/** The problem counts of the steps, by index. */
export function countByStep(problems: readonly FlowProblem[]): ReadonlyMap<number, ProblemCount> {
  const byStep = Map.groupBy(problems, ({ path }) => Number(/^steps\[(\d+)\]/.exec(path)?.[1] ?? -1))
  byStep.delete(-1)
  return new Map(
    [...byStep].flatMap(([index, same]) => {
      const error = same.find(({ severity }) => severity === 'error')
      const first = error ?? same[0]
      if (first === undefined) return []
      const { path, message } = first
      return [[index, { words: countProblems(same), isGrave: error !== undefined, first: { path, message } }]]
    }),
  )
}
