import { type ExecutionRecord, rulesOf } from '#engine'
import { describeFailure, describeWarnings, type Reach, responses, units } from '#executions-api'
import type { StepResult } from '../schemas/parts.ts'

/** The response for a finished execution with any outcome. */
export function describeCompleted(record: ExecutionRecord, reach: Reach, now: Date) {
  const stats = responses.deriveStats(record, now)
  const { ran, items } = stats
  return {
    success: record.status === 'completed',
    execution_id: record.id,
    status: record.status,
    execution_summary: {
      flow_id: record.flowId,
      flow_version: record.flowVersion,
      steps_executed: ran.length,
      steps_skipped: stats.skipped,
      execution_time: units.seconds(stats.elapsedMs ?? 0),
      total_cost: units.dollars(record.spent),
      unpriced: stats.unpriced,
      success_rate: units.percentage(stats.succeeded, ran.length),
      agent_decisions_made: responses.countDecisions(record),
    },
    result: responses.describeResult(record),
    step_results: describeStepResults(ran, items !== null),
    skipped_steps: record.outcomes.flatMap(({ stepId, state, details }) =>
      state === 'skipped' ? [{ step: stepId, reason: (details['reason'] ?? '') as string }] : [],
    ),
    shared_memory: responses.describeSharedMemory(record),
    agent_decisions: responses.describeAgentDecisions(record),
    performance_metrics: responses.describePerformance(stats, record),
    resource_utilization: describeResources(stats, record),
    quality_metrics: responses.describeQuality(stats, record),
    // Without steps that a fork reuses: they ran in another execution.
    execution_timeline: ran.flatMap(({ step, outcome: { startedAt, finishedAt }, ms }) =>
      startedAt === null
        ? []
        : [
            {
              step: step.id,
              started_at: units.epochSeconds(startedAt),
              completed_at: units.epochSeconds(finishedAt),
              duration: units.seconds(ms),
            },
          ],
    ),
    batch:
      items === null
        ? null
        : { items_total: items.total, items_succeeded: items.succeeded, items_failed: items.failed },
    error: record.error === null ? null : describeFailure(record),
    forked_from: record.forkedFrom,
    rerun_of: record.rerunOf,
    warnings: describeWarnings(record, reach),
    recommendations: recommend(stats, record),
    timestamp: units.epochSeconds(now),
  }
}

/** Fields of some step types, returned unchanged. */
const typeFields = [
  'conditions_evaluated',
  'routing_decision',
  'api_response_time',
  'api_endpoint',
  'transformations_applied',
  'post_processing_applied',
  'used_fallback',
  'reused_from',
] as const

/** Outputs and usage by step id. In a batch the numbers cover all items, and `results` is a list by item. */
function describeStepResults(
  ran: readonly responses.RanStep[],
  isBatch: boolean,
): Record<string, StepResult> {
  const byStep = Map.groupBy(ran, ({ step }) => step.id)
  return Object.fromEntries(
    [...byStep].map(([id, runs]) => [id, isBatch ? describeItems(runs) : describeRun(runs)]),
  )
}

function describeRun(runs: readonly responses.RanStep[]) {
  const [run] = runs
  return { ...describeNumbers(runs), results: run?.outcome.output ?? null, ...typeFieldsOf(run) }
}

function describeItems(runs: readonly responses.RanStep[]) {
  const results: unknown[] = []
  for (const { outcome } of runs) results[outcome.item] = outcome.output
  return {
    ...describeNumbers(runs),
    results: Array.from(results, (result) => result ?? null),
    items_failed: runs.filter(({ outcome }) => outcome.state === 'failed').length,
    ...typeFieldsOf(runs.at(-1)),
  }
}

function describeNumbers(runs: readonly responses.RanStep[]) {
  const last = runs.at(-1)
  const failed = runs.find(({ outcome }) => outcome.error !== null)
  return {
    step_type: last?.step.type ?? '',
    label: last?.step.label ?? null,
    execution_time: units.seconds(responses.sumOf(runs, ({ ms }) => ms)),
    tokens_used: responses.sumOf(runs, ({ tokens }) => tokens),
    ...responses.costOf(runs.map(({ outcome }) => outcome)),
    success: runs.every(({ outcome }) => outcome.state === 'completed'),
    ai_provider: last?.details.usage.provider ?? null,
    model_used: last?.details.usage.model ?? null,
    confidence: units.roundedShare(units.average(runs.flatMap(({ details }) => details.confidence ?? []))),
    quality: units.roundedScore(units.average(runs.flatMap(({ details }) => details.quality ?? []))),
    attempts: responses.sumOf(runs, ({ outcome }) => outcome.attempts),
    error: failed?.outcome.error ?? null,
  }
}

function typeFieldsOf(run: responses.RanStep | undefined): Pick<StepResult, (typeof typeFields)[number]> {
  if (run === undefined) return {}
  return Object.fromEntries(
    typeFields.flatMap((field) => (Object.hasOwn(run.details, field) ? [[field, run.details[field]]] : [])),
  )
}

function describeResources(stats: responses.DerivedStats, { facts }: Pick<ExecutionRecord, 'facts'>) {
  return {
    peak_memory_usage: facts === null ? null : units.megabytes(facts.peak_bytes),
    cpu_time: units.seconds(stats.cpuMs),
    network_requests: stats.networkRequests,
    cache_operations: stats.aiCalls + stats.cacheHits,
  }
}

interface Rule {
  readonly name: string
  /** The recommendations of this rule, one for each case. */
  readonly apply: (stats: responses.DerivedStats, record: ExecutionRecord) => readonly string[]
}

/** A step above this share of the total time is reported. */
const dominatingShare = 0.6
/** Below this duration, a faster step saves little. */
const worthSavingMs = 2000

/** Recommendations from the numbers of an execution; empty when no rule applies. */
const rules: readonly Rule[] = [
  {
    name: 'steps that took several tries',
    apply: ({ ran }) =>
      ran.flatMap(({ step, outcome }) =>
        outcome.attempts > 1 && outcome.state === 'completed'
          ? [`"${step.id}" needed ${outcome.attempts} attempts. Look at why the first did not succeed.`]
          : [],
      ),
  },
  {
    name: 'steps that failed and were passed over',
    apply: ({ ran }) =>
      ran.flatMap(({ step, outcome, details }) =>
        outcome.state === 'failed' && details.aborted !== true
          ? [`"${step.id}" failed and the flow went on without it: ${outcome.error?.message ?? ''}`]
          : [],
      ),
  },
  {
    name: 'fallback messages',
    apply: ({ ran }) =>
      ran.flatMap(({ step, details }) =>
        details['used_fallback'] === true
          ? [`"${step.id}" ended with its fallback message, not with a result.`]
          : [],
      ),
  },
  {
    name: 'one step that takes most of the time',
    apply: ({ ran, elapsedMs }) =>
      ran.flatMap(({ step, ms }) =>
        ran.length > 1 && ms > worthSavingMs && ms > (elapsedMs ?? 0) * dominatingShare
          ? [
              `"${step.id}" took ${units.seconds(ms)} of ${units.seconds(elapsedMs ?? 0)} seconds: a faster model or a shorter prompt would be felt here.`,
            ]
          : [],
      ),
  },
  {
    name: 'models without a price',
    apply: ({ ran }) => {
      const unpriced = new Set(
        ran.flatMap(({ outcome, details }) => (outcome.spent === null ? [details.usage.model] : [])),
      )
      return [...unpriced].map(
        (model) =>
          `"${model ?? 'a model'}" has no price, so its cost is not counted. Set one under /api/v1/prices.`,
      )
    },
  },
  {
    name: 'budgets that were nearly used up',
    apply: (_measures, record) => {
      const budget = budgetOf(record)
      return budget !== null && record.spent > budget * 0.8
        ? [
            'More than 80 % of the budget was used. Raise it, or choose a cheaper model, before the input grows.',
          ]
        : []
    },
  },
  {
    name: 'missing values',
    apply: (_measures, { events }) =>
      events.flatMap(({ type, data }) =>
        type === 'log' &&
        data['level'] === 'warning' &&
        Array.isArray((data['details'] as { missing?: unknown })?.missing)
          ? [
              `"${String(data['step'])}" refers to something the context does not have. ${String(data['message'])}`,
            ]
          : [],
      ),
  },
]

function recommend(stats: responses.DerivedStats, record: ExecutionRecord): string[] {
  return [...new Set(rules.flatMap(({ apply }) => apply(stats, record)))]
}

/** Whole micro-dollars an execution may cost; null: only the account's day sets a limit. */
export function budgetOf({ definition, input, createdAt }: ExecutionRecord): number | null {
  return rulesOf(definition, input, createdAt).budget
}
