/** What is kept of one kind of thing, and how it comes from the rows of `ended` or `ended_steps`. */
export interface RollUp {
  readonly table: string
  /** What is told apart besides time, with what becomes of each in the rows of everything together: the value, or another column. */
  readonly keys: Readonly<Record<string, 'kept' | '*' | { readonly of: string }>>
  readonly from: 'ended' | 'ended_steps'
  readonly where?: string
  /** The sums: SQL for what one row adds, before its sign. */
  readonly sums: Readonly<Record<string, string>>
  /** Sums that are no whole numbers. */
  readonly fractions?: readonly string[]
  /** The duration that is counted, null where there is none, and how many times. */
  readonly took?: { readonly ms: string; readonly times: string }
}

export const grains = ['minute', 'hour', 'day'] as const
export type Grain = (typeof grains)[number]

const isCompleted = `status = 'completed'`
const when = (condition: string, value = '1') => `case when ${condition} then ${value} else 0 end`
const known = (column: string) => `coalesce(${column}, 0)`
const whole = (column: string) => `round(coalesce(${column}, 0))`

export const flowRollUp = {
  table: 'engine_history_flows',
  keys: { flow_id: '*' },
  from: 'ended',
  sums: {
    executions: '1',
    completed: when(isCompleted),
    failed: when(`status = 'failed'`),
    cancelled: when(`status = 'cancelled'`),
    batches: when('items > 0'),
    batch_items: known('items'),
    duration_ms: when(isCompleted, whole('duration_ms')),
    completed_spent: when(isCompleted, 'spent'),
    completed_spent_squares: when(isCompleted, 'spent::double precision ^ 2'),
    begun: when('queued_ms is not null'),
    queued_ms: whole('queued_ms'),
    spent: 'spent',
    unpriced: when('unpriced'),
    decisions: known('decisions'),
    cpu_ms: whole('cpu_ms'),
    peak_bytes: whole('peak_bytes'),
  },
  fractions: ['completed_spent_squares'],
  took: { ms: `case when ${isCompleted} then duration_ms end`, times: '1' },
} as const satisfies RollUp

const stepIsCompleted = `state = 'completed'`

export const stepRollUp = {
  table: 'engine_history_steps',
  keys: { flow_id: '*', step_id: { of: 'agent' }, type: 'kept' },
  from: 'ended_steps',
  sums: {
    completed: when(stepIsCompleted, 'count'),
    failed: when(`state = 'failed'`, 'count'),
    skipped: when(`state = 'skipped'`, 'count'),
    attempts: known('attempts'),
    duration_ms: when(stepIsCompleted, whole('ms')),
    completed_spent: when(stepIsCompleted, known('spent')),
    spent: known('spent'),
    input_tokens: known('input_tokens'),
    output_tokens: known('output_tokens'),
    ai_calls: known('ai_calls'),
    cache_hits: known('cache_hits'),
    network_requests: known('network_requests'),
    ai_ms: whole('ai_ms'),
    api_ms: whole('api_ms'),
    quality_sum: known('quality_sum'),
    quality_count: known('quality_count'),
    confidence_sum: known('confidence_sum'),
    confidence_count: known('confidence_count'),
  },
  fractions: ['quality_sum', 'confidence_sum'],
  // Of the items of a batch only their sum is known: each counts as the average of them.
  took: { ms: `case when ${stepIsCompleted} then coalesce(ms, 0) / count end`, times: 'count' },
} as const satisfies RollUp

export const modelRollUp = {
  table: 'engine_history_models',
  keys: { flow_id: '*', provider: 'kept', model: 'kept' },
  from: 'ended_steps',
  where: 'provider is not null and model is not null',
  sums: {
    completed: when(stepIsCompleted, 'count'),
    failed: when(`state = 'failed'`, 'count'),
    input_tokens: known('input_tokens'),
    output_tokens: known('output_tokens'),
    spent: known('spent'),
    ai_calls: known('ai_calls'),
    cache_hits: known('cache_hits'),
    ai_ms: whole('ai_ms'),
    quality_sum: known('quality_sum'),
    quality_count: known('quality_count'),
  },
  fractions: ['quality_sum'],
  took: {
    ms: `case when ${stepIsCompleted} then coalesce(ai_ms, 0) / greatest(1, ai_calls) end`,
    times: 'count',
  },
} as const satisfies RollUp

export const accountRollUp = {
  table: 'engine_history_accounts',
  keys: { flow_id: '*', account_id: 'kept' },
  from: 'ended',
  sums: {
    executions: '1',
    completed: when(isCompleted),
    failed: when(`status = 'failed'`),
    spent: 'spent',
  },
} as const satisfies RollUp

export const errorRollUp = {
  table: 'engine_history_errors',
  keys: { flow_id: '*', code: 'kept' },
  from: 'ended',
  where: `status = 'failed' and code is not null`,
  sums: { executions: '1' },
} as const satisfies RollUp

/** In the order in which their rows are locked. */
export const rollUps: readonly RollUp[] = [flowRollUp, stepRollUp, modelRollUp, accountRollUp, errorRollUp]
