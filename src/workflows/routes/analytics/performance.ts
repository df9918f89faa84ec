import { quantileMs } from '#engine'
import { units } from '#executions-api'
import { addUp, durationsOf, tokensOf } from './numbers.ts'
import type { View } from './view.ts'

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
  const { figures, flows, stepsOf } = view
  return Object.fromEntries(
    flows.slice(0, maxFlows).map((flow) => {
      const { id, executions, completed, failed, cancelled, spent } = flow
      const steps = addUp(stepsOf(id), sumsOfSteps)
      return [
        id,
        {
          label: figures.labels.get(id) ?? null,
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
          trend: units.percentChange(executions, figures.flowsBefore.get(id)?.executions ?? null),
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

export function describeStepTypes({ figures }: View) {
  return Object.fromEntries(
    [...figures.stepTypes].map(([type, sums]) => [
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
