import type { Trace, TracedStep } from '../executions/execution-queries.ts'

/** A step in two executions; undefined in an execution without it. */
export interface Pair {
  readonly step: string
  readonly left: TracedStep | undefined
  readonly right: TracedStep | undefined
  /** Whether both runs of the step are equal apart from their durations. */
  readonly same: boolean
}

/** Pairs the steps of two executions: in the order of the first, then the steps of only the second. */
export function pairSteps(left: Pick<Trace, 'steps'>, right: Pick<Trace, 'steps'>): Pair[] {
  const ids = new Set([...left.steps, ...right.steps].map(({ step_id }) => step_id))
  return [...ids].map((step) => {
    const [one, other] = [left, right].map(({ steps }) => steps.find(({ step_id }) => step_id === step))
    return { step, left: one, right: other, same: isSame(one, other) }
  })
}

function isSame(one: TracedStep | undefined, other: TracedStep | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return (
    one.state === other.state &&
    one.attempts.length === other.attempts.length &&
    one.model_used === other.model_used &&
    one.cost === other.cost
  )
}

export function secondsOf(step: TracedStep | undefined): number | undefined {
  if (step === undefined || step.started_at === null || step.finished_at === null) return undefined
  return step.finished_at - step.started_at
}

interface Line {
  readonly kind: 'same' | 'left' | 'right'
  readonly text: string
}

/** A line of a diff with its position. */
interface DiffLine extends Line {
  readonly place: number
}

/** Longer texts are shown as replaced: the diff takes quadratic time and would block the page. */
const maxLines = 2000

/** The line diff of two texts. */
export function diffLines(left: string, right: string): DiffLine[] {
  const [before, after] = [left.split('\n'), right.split('\n')]
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const lines = [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
  return lines.map((line, place) => ({ ...line, place }))
}

function same(text: string): Line {
  return { kind: 'same', text }
}

function diffMiddle(left: readonly string[], right: readonly string[]): Line[] {
  if (left.length > maxLines || right.length > maxLines) {
    return [
      ...left.map((text): Line => ({ kind: 'left', text })),
      ...right.map((text): Line => ({ kind: 'right', text })),
    ]
  }
  const common = commonLengths(left, right)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]]
    if (one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one })
      i += 1
      j += 1
    } else if (
      other === undefined ||
      (one !== undefined && lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))
    ) {
      lines.push({ kind: 'left', text: one ?? '' })
      i += 1
    } else {
      lines.push({ kind: 'right', text: other })
      j += 1
    }
  }
  return lines
}

/** The lengths of the longest common subsequences from each pair of positions to the ends. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const row = lengths[i]
    if (row === undefined) continue
    for (let j = right.length - 1; j >= 0; j -= 1) {
      row[j] =
        left[i] === right[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1))
    }
  }
  return lengths
}

function lengthAt(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0
}
