import type { HistoryResult } from '#engine'

type StepSums = NonNullable<ReturnType<HistoryResult<'agents'>['get']>>

/** An agent and the sums of its runs in a period. */
export interface AgentRuns {
  readonly id: string
  /** Undefined without runs. */
  readonly sums: StepSums | undefined
}

/** Completed and failed runs. */
export function runsOf(sums: Pick<StepSums, 'completed' | 'failed'> | undefined): number {
  return sums === undefined ? 0 : sums.completed + sums.failed
}

/** Agents with runs, the busiest first. */
export function busiestFirst(agents: readonly AgentRuns[]) {
  return agents
    .flatMap(({ id, sums }) => (sums === undefined ? [] : [{ id, sums, runs: runsOf(sums) }]))
    .toSorted((one, other) => other.runs - one.runs || (one.id < other.id ? -1 : 1))
}
