import type { StepSums } from '#engine'

/** An agent, and what it did in some time. */
export interface AgentRuns {
  readonly id: string
  /** Undefined when it did nothing. */
  readonly sums: StepSums | undefined
}

/** How often it worked, well or not. */
export function runsOf(sums: Pick<StepSums, 'completed' | 'failed'> | undefined): number {
  return sums === undefined ? 0 : sums.completed + sums.failed
}

/** Those that worked, the busiest first. */
export function busiestFirst(agents: readonly AgentRuns[]) {
  return agents
    .flatMap(({ id, sums }) => (sums === undefined ? [] : [{ id, sums, runs: runsOf(sums) }]))
    .toSorted((one, other) => other.runs - one.runs || (one.id < other.id ? -1 : 1))
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
