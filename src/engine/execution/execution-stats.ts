import type { StepOutcome } from '../store/commit.ts'
import { type ContainerRef, lastSeqOf } from './batch-items.ts'
import type { LeasedExecution } from './leased-execution.ts'
import { createStatsCollector, type ExecutionStats, type StatsCollector, type StatsEnd } from './stats.ts'
import { createStepFinder, type LoadedFlows, type StepFinder } from './sub-flows.ts'

/** The stored outcomes of an execution, without their outputs where nothing else is said. */
export interface StoredOutcomes {
  /** The inputs of containers that run other flows: they name the flows. */
  readFlowCalls(lastSeq: number): Promise<readonly FlowCall[]>
  /** All outcomes up to a `seq`, in pages, in no particular order. */
  readPages(lastSeq: number): AsyncIterable<readonly StepOutcome[]>
  /** The ends of the scopes of a container, with their outputs. */
  readEnds(container: ContainerRef): Promise<readonly StepOutcome[]>
}

type FlowCall = Pick<StepOutcome, 'stepId' | 'item' | 'details'>

/** The statistics of one leased execution, with its earlier leases. */
export interface ExecutionStatsCollector {
  /** Adds an outcome of this lease. */
  add(outcome: StepOutcome): void
  /** Adds the outcomes of earlier leases. Called once, before `close`. */
  addEarlier(): Promise<void>
  close(startedAt: Date, end: StatsEnd): ExecutionStats
}

/**
 * | the flow has  | outcomes of earlier leases are                                                                       |
 * |---------------|------------------------------------------------------------------------------------------------------|
 * | no containers | loaded, and added at the start                                                                       |
 * | containers    | loaded only as far as open scopes need them; all of them are read once, when the execution ends      |
 */
export function createExecutionStats(
  execution: LeasedExecution,
  { stored, subFlows }: { readonly stored: Omit<StoredOutcomes, 'readEnds'>; readonly subFlows: LoadedFlows },
): ExecutionStatsCollector {
  const { graph, outcomes } = execution
  const findStep = createStepFinder(graph, (ref) => subFlows.get(ref).graph)
  const stats = createStatsCollector(findStep)
  const isPartial = graph.nested.size > 0
  for (const outcome of outcomes) {
    // The steps of this lease may be in sub-flows that an earlier lease opened.
    if (isPartial) findStep(outcome)
    else stats.add(outcome)
  }

  return {
    add: (outcome) => stats.add(outcome),
    async addEarlier() {
      const lastSeq = lastSeqOf(execution)
      if (isPartial && lastSeq > 0) await addStored(stats, { stored, lastSeq, subFlows, findStep })
    },
    close: (startedAt, end) => stats.close(subjectOf(execution, startedAt), end),
  }
}

interface StoredPart {
  readonly stored: Omit<StoredOutcomes, 'readEnds'>
  readonly lastSeq: number
  readonly subFlows: Pick<LoadedFlows, 'load'>
  readonly findStep: StepFinder
}

/** Adds stored outcomes to statistics. The flows that they run are found first: pages are not in the order of `seq`. */
export async function addStored(
  stats: Pick<StatsCollector, 'add'>,
  { stored, lastSeq, subFlows, findStep }: StoredPart,
): Promise<void> {
  const calls = await stored.readFlowCalls(lastSeq)
  await subFlows.load(calls)
  for (const call of calls) findStep(call)
  for await (const page of stored.readPages(lastSeq)) {
    for (const outcome of page) stats.add(outcome)
  }
}

function subjectOf(
  { definition, flowVersion, accountId, priority, createdAt, input }: LeasedExecution,
  startedAt: Date,
) {
  return {
    flowId: definition.id,
    flowVersion,
    accountId,
    priority,
    createdAt,
    startedAt,
    items: input.batch?.items.length ?? 0,
  }
}
