import type { ExecutionStats, StepStats } from '../execution/stats.ts'

/** An execution that ended, or one of its steps. */
export interface Ended {
  readonly execution: ExecutionStats
  /** Used by roll-ups of steps only. */
  readonly step: StepStats
}

type Sum = (ended: Ended) => number
type Key = (ended: Ended) => string | undefined

/** Defines a roll-up table and how its rows are computed from ended executions. */
export interface RollUp {
  readonly table: string
  readonly from: 'executions' | 'steps'
  /** Grouping keys besides time. An execution or step without one of them is not counted. */
  readonly keys: Readonly<Record<string, Key>>
  /** Keys with another value in the rows of all flows together. */
  readonly together: Readonly<Record<string, Key>>
  readonly where?: (ended: Ended) => boolean
  readonly sums: Readonly<Record<string, Sum>>
  /** Sums that are not integers. */
  readonly fractions?: readonly string[]
  /** The duration to count, undefined without one, and how often it counts. */
  readonly took?: { readonly ms: (ended: Ended) => number | undefined; readonly times: Sum }
}

export const grains = ['minute', 'hour', 'day'] as const
export type Grain = (typeof grains)[number]

const ofFlow: Key = ({ execution }) => execution.flow_id
const ofAll: Key = () => '*'
const isCompleted = ({ execution }: Ended) => execution.status === 'completed'
const when =
  (condition: (ended: Ended) => boolean, value: Sum = () => 1): Sum =>
  (ended) =>
    condition(ended) ? value(ended) : 0
/** Absent numbers are 0. */
const ofExecution =
  (name: NumberIn<ExecutionStats>): Sum =>
  ({ execution }) =>
    execution[name] ?? 0
const ofStep =
  (name: NumberIn<StepStats>): Sum =>
  ({ step }) =>
    step[name] ?? 0

type NumberIn<Facts> = {
  [Name in keyof Facts]-?: NonNullable<Facts[Name]> extends number ? Name : never
}[keyof Facts]

const hasStatus = (status: ExecutionStats['status']) => when(({ execution }) => execution.status === status)

export const flowRollUp = {
  table: 'engine_history_flows',
  from: 'executions',
  keys: { flow_id: ofFlow },
  together: { flow_id: ofAll },
  sums: {
    executions: () => 1,
    completed: hasStatus('completed'),
    failed: hasStatus('failed'),
    cancelled: hasStatus('cancelled'),
    batches: when(({ execution }) => execution.items > 0),
    batch_items: ofExecution('items'),
    duration_ms: when(isCompleted, ofExecution('duration_ms')),
    completed_spent: when(isCompleted, ofExecution('spent')),
    completed_spent_squares: when(isCompleted, ({ execution }) => execution.spent ** 2),
    begun: when(({ execution }) => execution.queued_ms !== null),
    queued_ms: ofExecution('queued_ms'),
    spent: ofExecution('spent'),
    unpriced: when(({ execution }) => execution.unpriced),
    decisions: ofExecution('decisions'),
    cpu_ms: ofExecution('cpu_ms'),
    peak_bytes: ofExecution('peak_bytes'),
  },
  fractions: ['completed_spent_squares'],
  took: {
    ms: (ended) => (isCompleted(ended) ? (ended.execution.duration_ms ?? undefined) : undefined),
    times: () => 1,
  },
} as const satisfies RollUp

const stepIsCompleted = ({ step }: Ended) => step.state === 'completed'
const countOf = (state: StepStats['state']) => when(({ step }) => step.state === state, ofStep('count'))

export const stepRollUp = {
  table: 'engine_history_steps',
  from: 'steps',
  keys: { flow_id: ofFlow, step_id: ({ step }) => step.id, type: ({ step }) => step.type },
  together: { flow_id: ofAll, step_id: ({ step }) => step.agent ?? '*' },
  sums: {
    completed: countOf('completed'),
    failed: countOf('failed'),
    skipped: countOf('skipped'),
    attempts: ofStep('attempts'),
    duration_ms: when(stepIsCompleted, ofStep('ms')),
    completed_spent: when(stepIsCompleted, ofStep('spent')),
    spent: ofStep('spent'),
    input_tokens: ofStep('input_tokens'),
    output_tokens: ofStep('output_tokens'),
    ai_calls: ofStep('ai_calls'),
    cache_hits: ofStep('cache_hits'),
    network_requests: ofStep('network_requests'),
    ai_ms: ofStep('ai_ms'),
    api_ms: ofStep('api_ms'),
    quality_sum: ofStep('quality_sum'),
    quality_count: ofStep('quality_count'),
    confidence_sum: ofStep('confidence_sum'),
    confidence_count: ofStep('confidence_count'),
  },
  fractions: ['quality_sum', 'confidence_sum'],
  // Only the sum over the items of a batch is known: each item counts as the average.
  took: {
    ms: (ended) => (stepIsCompleted(ended) ? (ended.step.ms ?? 0) / ended.step.count : undefined),
    times: ofStep('count'),
  },
} as const satisfies RollUp

export const modelRollUp = {
  table: 'engine_history_models',
  from: 'steps',
  keys: { flow_id: ofFlow, provider: ({ step }) => step.provider, model: ({ step }) => step.model },
  together: { flow_id: ofAll },
  sums: {
    completed: countOf('completed'),
    failed: countOf('failed'),
    input_tokens: ofStep('input_tokens'),
    output_tokens: ofStep('output_tokens'),
    spent: ofStep('spent'),
    ai_calls: ofStep('ai_calls'),
    cache_hits: ofStep('cache_hits'),
    ai_ms: ofStep('ai_ms'),
    quality_sum: ofStep('quality_sum'),
    quality_count: ofStep('quality_count'),
  },
  fractions: ['quality_sum'],
  took: {
    ms: (ended) =>
      stepIsCompleted(ended) ? (ended.step.ai_ms ?? 0) / Math.max(1, ended.step.ai_calls ?? 0) : undefined,
    times: ofStep('count'),
  },
} as const satisfies RollUp

export const accountRollUp = {
  table: 'engine_history_accounts',
  from: 'executions',
  keys: { flow_id: ofFlow, account_id: ({ execution }) => execution.account_id },
  together: { flow_id: ofAll },
  sums: {
    executions: () => 1,
    completed: hasStatus('completed'),
    failed: hasStatus('failed'),
    spent: ofExecution('spent'),
  },
} as const satisfies RollUp

export const errorRollUp = {
  table: 'engine_history_errors',
  from: 'executions',
  keys: { flow_id: ofFlow, code: ({ execution }) => execution.error_code ?? undefined },
  together: { flow_id: ofAll },
  where: ({ execution }) => execution.status === 'failed',
  sums: { executions: () => 1 },
} as const satisfies RollUp

/** In the order in which their rows are locked. */
export const rollUps: readonly RollUp[] = [flowRollUp, stepRollUp, modelRollUp, accountRollUp, errorRollUp]
