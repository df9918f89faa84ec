import { type HistoryResult, quantileMs } from '#engine'
import { units } from '#executions-api'
import { addUp, durationsOf, tokensOf, type View } from './view.ts'

const maxFlows = 200

const sumsOfSteps = [
  'input_tokens',
  'output_tokens',
  'quality_sum',
  'quality_count',
  'confidence_sum',
  'confidence_count',
] as const

export function describeFlows(view: View) {
  const { stats, flows, stepsOf } = view
  return Object.fromEntries(
    flows.slice(0, maxFlows).map((flow) => {
      const { id, executions, completed, failed, cancelled, spent } = flow
      const steps = addUp(stepsOf(id), sumsOfSteps)
      return [
        id,
        {
          label: stats.labels.get(id) ?? null,
          executions,
          completed,
          failed,
          cancelled,
          success_rate: units.successRate(flow),
          ...durationsOf(flow),
          average_queue_time: units.seconds(units.ratio(flow.queued_ms, flow.begun)),
          total_cost: units.dollars(spent),
          average_cost: units.dollars(units.ratio(spent, executions)),
          tokens_used: tokensOf(steps),
          average_cpu_time: units.seconds(units.ratio(flow.cpu_ms, executions)),
          average_peak_memory: units.round(units.ratio(flow.peak_bytes, executions), 0),
          ...qualityOf(steps),
          trend: units.percentChange(executions, stats.flowsBefore.get(id)?.executions ?? null),
          slowest_step: slowestStep(view, id),
          most_failing_step: mostFailingStep(view, id),
        },
      ]
    }),
  )
}

function qualityOf(sums: {
  readonly quality_sum: number
  readonly quality_count: number
  readonly confidence_sum: number
  readonly confidence_count: number
}) {
  return {
    quality_score: units.round(units.ratio(sums.quality_sum, sums.quality_count), 2),
    average_confidence: units.round(units.ratio(sums.confidence_sum, sums.confidence_count), 4),
  }
}

function slowestStep({ stepsOf }: View, flowId: string) {
  const [slowest] = stepsOf(flowId)
    .flatMap(({ step_id, type, duration_ms, completed }) =>
      completed > 0 ? [{ step_id, step_type: type, value: units.seconds(duration_ms / completed) }] : [],
    )
    .toSorted((one, other) => other.value - one.value)
  return slowest ?? null
}

/** The step of a flow that fails most often; null when none did. */
export function mostFailingStep({ stepsOf }: View, flowId: string) {
  const [worst] = stepsOf(flowId)
    .filter(({ failed }) => failed > 0)
    .toSorted((one, other) => other.failed - one.failed)
  return worst === undefined ? null : { step_id: worst.step_id, step_type: worst.type, value: worst.failed }
}

export function describeStepTypes({ stats }: View) {
  return Object.fromEntries(
    [...stats.stepTypes].map(([type, sums]) => [
      type,
      {
        steps_executed: sums.completed + sums.failed,
        completed: sums.completed,
        failed: sums.failed,
        skipped: sums.skipped,
        success_rate: units.successRate(sums),
        ...durationsOf(sums),
        retries: Math.max(0, sums.attempts - sums.completed - sums.failed),
        total_cost: units.dollars(sums.spent),
        tokens_used: tokensOf(sums),
        ai_calls: sums.ai_calls,
        network_requests: sums.network_requests,
        ...qualityOf(sums),
      },
    ]),
  )
}

export function describeProviders({ providers, modelsOf, steps }: View) {
  return Object.fromEntries(
    [...providers].map(([provider, sums]) => [
      provider,
      {
        ...describeAnswering(sums),
        call_share: units.percentage(sums.ai_calls, steps.ai_calls),
        models: Object.fromEntries(
          modelsOf(provider).map((model) => [model.model, describeAnswering(model)]),
        ),
      },
    ]),
  )
}

type Answering = View['providers'] extends ReadonlyMap<string, infer Sums> ? Sums : never

function describeAnswering(sums: Answering) {
  return {
    steps: sums.completed + sums.failed,
    completed: sums.completed,
    failed: sums.failed,
    success_rate: units.successRate(sums),
    calls: sums.ai_calls,
    cache_hits: sums.cache_hits,
    input_tokens: sums.input_tokens,
    output_tokens: sums.output_tokens,
    average_response_time: units.seconds(units.ratio(sums.ai_ms, sums.ai_calls)),
    median_response_time: units.seconds(quantileMs(sums.took, 0.5)),
    p95_response_time: units.seconds(quantileMs(sums.took, 0.95)),
    total_cost: units.dollars(sums.spent),
    quality_score: units.round(units.ratio(sums.quality_sum, sums.quality_count), 2),
  }
}

type SumsBefore = HistoryResult<'stats'>['totalBefore']

/** This period compared with the previous one, and each flow compared with the median flow. */
export function compare({ stats, flows }: View) {
  const { total, totalBefore, period, periodBefore } = stats
  const against = (of: (sums: SumsBefore) => number | null) => {
    const [current, previous] = [of(total), of(totalBefore)]
    return { current, previous, change: units.percentChange(current, previous) }
  }
  const all = [...stats.flows.values()]
  const middle = (of: (sums: SumsBefore) => number | null) =>
    medianOf(all.map(of).filter((value) => value !== null))
  const median = {
    success_rate: middle(units.successRate),
    average_duration: middle(averageDuration),
    average_cost: middle(averageCost),
  }
  return {
    previous_period: {
      from: units.epochSeconds(periodBefore.from),
      to: units.epochSeconds(period.from),
      executions: against(({ executions }) => executions),
      success_rate: against(units.successRate),
      average_duration: against(averageDuration),
      average_cost: against(averageCost),
      total_cost: against(({ spent }) => units.dollars(spent)),
    },
    installation_median: { flows: all.length, ...median },
    flows: flows.map((flow) => ({
      flow_id: flow.id,
      success_rate_difference: differenceOf(units.successRate(flow), median.success_rate),
      duration_ratio: ratioOf(averageDuration(flow), median.average_duration),
      cost_ratio: ratioOf(averageCost(flow), median.average_cost),
    })),
  }
}

function averageDuration({ duration_ms: ms, completed }: SumsBefore): number | null {
  return units.seconds(units.ratio(ms, completed))
}

function averageCost({ spent, executions }: SumsBefore): number | null {
  return units.dollars(units.ratio(spent, executions))
}

function differenceOf(value: number | null, median: number | null): number | null {
  return value === null || median === null ? null : units.round(value - median, 2)
}

function ratioOf(value: number | null, median: number | null): number | null {
  return value === null || median === null || median === 0 ? null : units.round(value / median, 3)
}

/** The median, with the digits of a micro-dollar: the mean of 0.108 and 0.109 would be 0.10850000000000001. Null for an empty list. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const [low, high] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]]
  return low === undefined || high === undefined ? null : units.round((low + high) / 2, 6)
}
