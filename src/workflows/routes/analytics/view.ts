import { addDurations, type HistoryResult, quantileMs } from '#engine'
import { units } from '#executions-api'

type FlowStatistics = HistoryResult<'stats'>
type FlowSums = FlowStatistics['total']
type StepSums = NonNullable<ReturnType<FlowStatistics['stepTypes']['get']>>
type ModelSums = Omit<FlowStatistics['models'][number], 'provider' | 'model'>

type StepOfFlow = FlowStatistics['steps'][number]

/** The stats of a period, arranged for the responses. */
export interface View {
  readonly stats: FlowStatistics
  /** The requested flows that ran, the busiest first. */
  readonly flows: readonly (FlowSums & { readonly id: string })[]
  readonly stepsOf: (flowId: string) => readonly StepOfFlow[]
  /** The sums of all steps. */
  readonly steps: Pick<StepSums, (typeof stepSums)[number]>
  readonly providers: ReadonlyMap<string, ModelSums>
  readonly modelsOf: (provider: string) => FlowStatistics['models']
}

const stepSums = [
  'completed',
  'failed',
  'attempts',
  'input_tokens',
  'output_tokens',
  'ai_calls',
  'cache_hits',
  'quality_sum',
  'quality_count',
  'confidence_sum',
  'confidence_count',
] as const

const modelSums = [
  'completed',
  'failed',
  'input_tokens',
  'output_tokens',
  'spent',
  'ai_calls',
  'cache_hits',
  'ai_ms',
  'quality_sum',
  'quality_count',
] as const

export function viewStats(stats: FlowStatistics, flowIds: readonly string[] | undefined): View {
  const stepsByFlow = Map.groupBy(stats.steps, ({ flow_id }) => flow_id)
  const modelsByProvider = Map.groupBy(stats.models, ({ provider }) => provider)
  return {
    stats,
    flows: [...stats.flows]
      .filter(([id]) => flowIds === undefined || flowIds.includes(id))
      .map(([id, sums]) => ({ ...sums, id }))
      .toSorted((one, other) => other.executions - one.executions || (one.id < other.id ? -1 : 1)),
    stepsOf: (flowId) => stepsByFlow.get(flowId) ?? [],
    steps: addUp([...stats.stepTypes.values()], stepSums),
    providers: new Map(
      [...modelsByProvider].map(([provider, models]) => [
        provider,
        { ...addUp(models, modelSums), took: addDurations(models.map(({ took }) => took)) },
      ]),
    ),
    modelsOf: (provider) => modelsByProvider.get(provider) ?? [],
  }
}

type Durations = Parameters<typeof quantileMs>[0]

/** The average, the median and the 95th percentile of completed durations, in seconds. */
export function durationsOf({
  duration_ms: ms,
  completed,
  took,
}: {
  readonly duration_ms: number
  readonly completed: number
  readonly took: Durations
}) {
  return {
    average_duration: units.seconds(units.ratio(ms, completed)),
    median_duration: units.seconds(quantileMs(took, 0.5)),
    p95_duration: units.seconds(quantileMs(took, 0.95)),
  }
}

/** Input and output tokens together. */
export function tokensOf(sums: { readonly input_tokens: number; readonly output_tokens: number }): number {
  return sums.input_tokens + sums.output_tokens
}

/** The sums of some columns over all rows. */
export function addUp<Column extends string>(
  rows: readonly Readonly<Record<Column, number>>[],
  columns: readonly Column[],
): Readonly<Record<Column, number>> {
  const totals = columns.map((column) => [column, units.sum(rows.map((row) => row[column]))])
  return Object.fromEntries(totals) as Record<Column, number>
}
