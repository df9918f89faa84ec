import type { FlowProblem } from './problem.ts'
import type { Validation } from './validation.ts'

/** The number of problems: `2 problems, 1 warning`. */
export function countProblems(problems: readonly FlowProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const counts = [
    ...(errors === 0 ? [] : [errors === 1 ? '1 error' : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? '1 warning' : `${warnings} warnings`]),
  ]
  return counts.length === 0 ? 'No problems' : counts.join(', ')
}

/** The summary line of the problem list. */
export function summarize({
  state,
  problems,
  isEmpty,
}: Pick<Validation, 'state' | 'problems'> & {
  readonly isEmpty: boolean
}): string {
  if (problems.length > 0) return countProblems(problems)
  if (isEmpty) return 'Nothing to check yet'
  return state === 'checked' ? countProblems(problems) : state === 'stale' ? 'Checking…' : 'Not checked'
}

/**
 * The problem after or before another, wrapping around at the ends; the first or last one where that problem is gone.
 */
export function neighbourOf(
  problems: readonly FlowProblem[],
  current: FlowProblem | null,
  way: 1 | -1,
): FlowProblem | undefined {
  const at = problems.findIndex((problem) => current !== null && isSameProblem(problem, current))
  if (at === -1) return way === 1 ? problems[0] : problems.at(-1)
  return problems.at((at + way) % problems.length)
}

function isSameProblem(left: FlowProblem, right: FlowProblem): boolean {
  return left.path === right.path && left.code === right.code && left.message === right.message
}
