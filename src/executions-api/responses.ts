import {
  type AgentDecision,
  type ExecutionEvent,
  type ExecutionRecord,
  executionMs,
  type FlowDefinition,
  kindOf,
  type NestedCounts,
  rulesOf,
} from '#engine'
import type { Expectation } from './estimates.ts'
import { average, dollars, epochSeconds, percentage, roundedScore, roundedShare, seconds } from './units.ts'

/** The sums of an execution so far, computed once for all parts of a response. Times in milliseconds, money in micro-dollars. */
export interface DerivedStats {
  readonly ran: readonly RanStep[]
  readonly succeeded: number
  readonly skipped: number
  /** The time in which workers ran it, up to now; null before the start. */
  readonly elapsedMs: number | null
  readonly aiMs: number
  readonly apiMs: number
  /** CPU time of steps on this server. */
  readonly cpuMs: number
  readonly aiCalls: number
  readonly cacheHits: number
  readonly networkRequests: number
  readonly tokens: number
  /** Whether a model without a known price was called: its cost is not included. */
  readonly unpriced: boolean
  readonly items: { readonly total: number; readonly succeeded: number; readonly failed: number } | null
}

/** Derives the stats of an execution from its step outcomes. */
export function deriveStats(record: ExecutionRecord, now: Date): DerivedStats {
  const ran = ranSteps(record)
  const { outcomes } = record
  return {
    ran,
    succeeded: ran.filter(({ outcome }) => outcome.state === 'completed').length,
    skipped: outcomes.length - ran.length,
    elapsedMs: executionMs(record, now),
    aiMs: sumOf(ran, ({ details }) => details.usage.aiMs),
    apiMs: sumOf(ran, ({ details }) => details.usage.apiMs),
    cpuMs: sumOf(ran, ({ details }) => details.cpu_ms ?? 0),
    aiCalls: sumOf(ran, ({ details }) => details.usage.aiCalls),
    cacheHits: sumOf(ran, ({ details }) => details.usage.cacheHits),
    networkRequests: sumOf(ran, ({ details }) => details.usage.networkRequests),
    tokens: sumOf(ran, ({ tokens }) => tokens),
    unpriced: ran.some(({ outcome }) => outcome.spent === null),
    items: countItems(record, ran),
  }
}

/** An item failed if a step aborted it, and succeeded if all its steps finished without that. */
function countItems(
  { input, definition, outcomes }: ExecutionRecord,
  ran: readonly RanStep[],
): DerivedStats['items'] {
  if (input.batch === undefined) return null
  const failed = new Set(
    ran.flatMap(({ outcome, details }) => (details.aborted === true ? [outcome.item] : [])),
  )
  const over = [...Map.groupBy(outcomes, ({ item }) => item)].filter(
    ([item, steps]) => !failed.has(item) && steps.length === definition.steps.length,
  )
  return { total: input.batch.items.length, succeeded: over.length, failed: failed.size }
}

type StepOutcome = ExecutionRecord['outcomes'][number]
type Step = FlowDefinition['steps'][number]

/** A step that ran, with its definition, outcome and usage. */
export interface RanStep {
  readonly step: Step
  readonly outcome: StepOutcome
  readonly ms: number
  readonly details: StepOutcome['details'] &
    Required<Pick<StepOutcome['details'], 'usage' | 'confidence' | 'quality' | 'decision' | 'cpu_ms'>>
  readonly tokens: number
}

/** The steps that ran, in the order they finished; without skipped steps. */
function ranSteps({ definition, outcomes }: Pick<ExecutionRecord, 'definition' | 'outcomes'>): RanStep[] {
  const steps = new Map(definition.steps.map((step) => [step.id, step]))
  return outcomes.flatMap((outcome) => {
    const step = steps.get(outcome.stepId)
    if (step === undefined || outcome.state === 'skipped') return []
    const details = outcome.details as RanStep['details']
    const { startedAt, finishedAt } = outcome
    return [
      {
        step,
        outcome,
        ms: startedAt === null ? 0 : Math.max(0, finishedAt.getTime() - startedAt.getTime()),
        details,
        tokens: details.usage.inputTokens + details.usage.outputTokens,
      },
    ]
  })
}

/** The sum of a number over all steps. */
export function sumOf(ran: readonly RanStep[], numberOf: (step: RanStep) => number): number {
  return ran.reduce((sum, step) => sum + numberOf(step), 0)
}

interface Cost {
  /** Dollars. */
  readonly cost: number
  /** Whether a model without a known price was called; it counts as 0. */
  readonly unpriced: boolean
}

/** The total cost of step outcomes. */
export function costOf(outcomes: readonly Pick<StepOutcome, 'spent'>[]): Cost {
  return {
    cost: dollars(outcomes.reduce((sum, { spent }) => sum + (spent ?? 0), 0)),
    unpriced: outcomes.some(({ spent }) => spent === null),
  }
}

/** The cost in an event. Earlier releases wrote null for an unpriced cost. */
export function costIn(data: ExecutionEvent['data']): Cost {
  const { cost, unpriced } = data
  return typeof cost === 'number' ? { cost, unpriced: unpriced === true } : { cost: 0, unpriced: true }
}

/** The times, model calls, tokens and cost of an execution. */
export function describePerformance(stats: DerivedStats, { spent }: Pick<ExecutionRecord, 'spent'>) {
  return {
    total_execution_time: seconds(stats.elapsedMs ?? 0),
    ai_processing_time: seconds(stats.aiMs),
    api_call_time: seconds(stats.apiMs),
    data_processing_time: seconds(stats.cpuMs),
    total_ai_calls: stats.aiCalls,
    total_tokens_used: stats.tokens,
    total_cost: dollars(spent),
    unpriced: stats.unpriced,
    cache_hits: stats.cacheHits,
    provider_distribution: describeProviders(stats),
  }
}

/** The steps with model calls by provider, in percent. */
function describeProviders({ ran }: DerivedStats): Record<string, number> {
  const asked = ran.filter(({ details }) => details.usage.provider !== null)
  const byProvider = Map.groupBy(asked, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => [provider, percentage(steps.length, asked.length) ?? 0]),
  )
}

/** The success rates, the confidence of agent decisions and the quality of the outputs. */
export function describeQuality(
  { ran, succeeded, items }: DerivedStats,
  { status }: Pick<ExecutionRecord, 'status'>,
) {
  return {
    overall_success_rate:
      items === null ? (status === 'completed' ? 100 : 0) : (percentage(items.succeeded, items.total) ?? 0),
    step_success_rate: percentage(succeeded, ran.length),
    agent_confidence_avg: roundedShare(average(ran.flatMap(({ details }) => decisionConfidence(details)))),
    output_quality_score: roundedScore(average(ran.flatMap(({ details }) => details.quality ?? []))),
  }
}

function decisionConfidence({ decision }: RanStep['details']): number[] {
  const confidence = decision !== null && 'confidence' in decision ? decision.confidence : null
  return typeof confidence === 'number' ? [confidence] : []
}

/** The number of agent decisions. */
export function countDecisions({ outcomes }: Pick<ExecutionRecord, 'outcomes'>): number {
  return outcomes.filter((outcome) => decisionOf(outcome) !== undefined).length
}

/** The agent decisions in order; empty when the request disabled them. */
export function describeAgentDecisions({ outcomes, input }: Pick<ExecutionRecord, 'outcomes' | 'input'>) {
  if (input.options.monitoring?.capture_agent_decisions === false) return []
  return outcomes.flatMap((outcome, index) => {
    const decision = decisionOf(outcome)
    if (decision === undefined) return []
    return [
      {
        step: outcome.stepId,
        agent: decision.agent,
        decision: decision.decision,
        confidence: roundedShare(decision.confidence),
        reasoning: decision.reasoning,
        context_used: [...decision.contextUsed],
        alternative_paths_considered: [...decision.alternatives],
        timestamp: epochSeconds(outcome.finishedAt),
        workflow_modifications: {
          steps_added: [...decision.stepsAdded],
          steps_skipped: skippedBy(outcomes, index),
        },
      },
    ]
  })
}

function decisionOf({ details }: StepOutcome): AgentDecision | undefined {
  return (details['decision'] as AgentDecision | null | undefined) ?? undefined
}

/** The steps that a decision skips are stored right after it. */
function skippedBy(outcomes: readonly StepOutcome[], index: number): string[] {
  const after = outcomes.slice(index + 1)
  const end = after.findIndex(({ state }) => state !== 'skipped')
  return (end === -1 ? after : after.slice(0, end)).map(({ stepId }) => stepId)
}

/** The bytes of context, memory and outputs as JSON, which the memory limit counts. */
export function heldBytes({ input, outcomes }: Pick<ExecutionRecord, 'input' | 'outcomes'>): number {
  const given = sizeOf(input.context) + sizeOf(input.memory)
  return outcomes.reduce((bytes, { output }) => bytes + sizeOf(output), given)
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}

type LiveStep = ExecutionRecord['live'][number]

const parkedPhases = {
  approval: 'awaiting_approval',
  concurrency: 'awaiting_capacity',
  flow_limit: 'awaiting_flow_limit',
} as const

/** The phase of an execution. */
export function describePhase(record: ExecutionRecord): string {
  const { status, parked, cancel, live, outcomes, definition } = record
  if (status === 'queued') return parked === null ? 'queued' : parkedPhases[parked]
  if (status !== 'running') return status
  if (cancel !== null) return 'cancelling'
  if (parked === 'flow_limit') return parkedPhases.flow_limit
  const step = definition.steps.find(({ id }) => id === live[0]?.stepId)
  if (step !== undefined) return kindOf(step).phase
  return outcomes.length === 0 ? 'starting' : 'between_steps'
}

function countSteps({ definition, input, outcomes }: ExecutionRecord) {
  const total = definition.steps.length * (input.batch?.items.length ?? 1)
  return { total, over: Math.min(total, outcomes.length) }
}

/**
 * The completed and remaining steps of an execution, in numbers and in percent. A loop that runs counts by its items that have ended, when
 * `scopes` has their number.
 */
export function describeProgress(
  record: ExecutionRecord,
  expected: Expectation,
  now: Date,
  scopes: LoopScopes = new Map(),
) {
  const { total, over } = countSteps(record)
  const isOver = record.finishedAt !== null
  const [current] = record.live
  const loops = new Map(
    [...scopes].map(([id, { total: items, completed, failed }]) => [
      id,
      items === 0 ? 0 : (completed + failed) / items,
    ]),
  )
  const progressOf = (step: LiveStep) =>
    loops.has(step.stepId) ? percentage(loops.get(step.stepId) ?? 0, 1) : stepProgress(step, expected, now)
  const begun = [...loops.values()].reduce((sum, share) => sum + share, 0)
  return {
    overall_percentage: record.status === 'completed' ? 100 : (percentage(over + begun, total) ?? 0),
    current_step: current?.stepId ?? null,
    current_step_progress: current === undefined ? null : progressOf(current),
    steps_completed: over,
    steps_remaining: isOver ? 0 : total - over,
    steps_total: total,
  }
}

/** The items of loops that run, by the id of the step. */
export type LoopScopes = ReadonlyMap<string, NestedCounts>

const phases = ['prompt_processed', 'ai_response_streaming', 'response_processing', 'validation'] as const

/** By the usual duration, at most 95 %; else by the phase the step has reached. */
function stepProgress(
  { stepId, startedAt, phase }: LiveStep,
  { stepMs }: Expectation,
  now: Date,
): number | null {
  const usual = stepMs.get(stepId)
  if (usual !== undefined && usual > 0) {
    return Math.min(95, Math.round(((now.getTime() - startedAt.getTime()) / usual) * 100))
  }
  return phase === null ? null : (phases.indexOf(phase) + 1) * 20
}

/** The phases that a step with a model call has reached. */
export function describeIndicators(phase: LiveStep['phase']) {
  const reached = phase === null ? -1 : phases.indexOf(phase)
  return {
    prompt_processed: reached >= 0,
    ai_response_streaming: reached >= 1,
    response_processing: reached >= 2,
    validation: reached >= 3,
  }
}

/** The execution with marks in place of its large outputs. Responses pass outputs on, and nothing looks into them. */
export function markOutputs(
  record: ExecutionRecord,
  { mark }: { readonly mark: (value: unknown) => unknown },
): ExecutionRecord {
  return {
    ...record,
    outcomes: record.outcomes.map((outcome) => ({ ...outcome, output: mark(outcome.output) })),
  }
}

/** The result: the output of the last step, or the outputs of all final steps by id. In a batch a list by item. */
export function describeResult({
  definition,
  outcomes,
  input,
}: Pick<ExecutionRecord, 'definition' | 'outcomes' | 'input'>): unknown {
  if (input.batch === undefined) return resultOfItem(definition, outcomes)
  const byItem = Map.groupBy(outcomes, ({ item }) => item)
  return input.batch.items.map((_, item) => resultOfItem(definition, byItem.get(item) ?? []))
}

function resultOfItem(
  definition: ExecutionRecord['definition'],
  outcomes: ExecutionRecord['outcomes'],
): unknown {
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const needed = new Set(
    definition.steps
      .filter(({ id }) => completed.some(({ stepId }) => stepId === id))
      .flatMap(({ dependencies = [] }) => dependencies),
  )
  // The result is the output of the branch that a condition chose, not the decision.
  const deciding = new Set(
    definition.steps.filter((step) => kindOf(step).traits.decides === 'always').map(({ id }) => id),
  )
  const last = completed.filter(({ stepId }) => !needed.has(stepId) && !deciding.has(stepId))
  const [only, ...more] = last
  if (only === undefined) return null
  return more.length === 0
    ? only.output
    : Object.fromEntries(last.map(({ stepId, output }) => [stepId, output]))
}

/** The outputs of completed steps by step id; in a batch each step has a list by item. Outputs that were not kept are left out. */
export function describeResultsByStep(
  record: Pick<ExecutionRecord, 'definition' | 'outcomes' | 'input' | 'createdAt'>,
): Record<string, unknown> {
  const { definition, outcomes, input, createdAt } = record
  const { keepsOutputs } = rulesOf(definition, input, createdAt)
  return completedByStep({
    input,
    outcomes: keepsOutputs ? outcomes : outcomes.filter(({ output }) => output !== null),
  })
}

/** The same with null for outputs that were not kept. */
export function completedByStep({
  outcomes,
  input,
}: Pick<ExecutionRecord, 'outcomes' | 'input'>): Record<string, unknown> {
  const completed = outcomes.filter(({ state }) => state === 'completed')
  if (input.batch === undefined) {
    return Object.fromEntries(completed.map(({ stepId, output }) => [stepId, output]))
  }
  const items = input.batch.items.length
  return Object.fromEntries(
    [...Map.groupBy(completed, ({ stepId }) => stepId)].map(([stepId, outcomesOfStep]) => {
      const byItem = new Map(outcomesOfStep.map(({ item, output }) => [item, output]))
      return [stepId, Array.from({ length: items }, (_, item) => byItem.get(item) ?? null)]
    }),
  )
}

/** The shared memory: its initial values and the outputs that steps stored. In a batch each key has a list by item. */
export function describeSharedMemory({
  definition,
  input,
  outcomes,
}: Pick<ExecutionRecord, 'definition' | 'input' | 'outcomes'>): Record<string, unknown> {
  const keys = new Map(definition.steps.map(({ id, output_to_memory: key }) => [id, key]))
  const memory: Record<string, unknown> = { ...input.memory }
  const lists = new Map<string, unknown[]>()
  for (const { stepId, item, state, output } of outcomes) {
    const key = keys.get(stepId)
    if (key === undefined || state !== 'completed') continue
    if (input.batch === undefined) memory[key] = output
    else lists.set(key, withItem(lists.get(key) ?? [], item, output))
  }
  for (const [key, list] of lists) memory[key] = Array.from(list, (value) => value ?? null)
  return memory
}

function withItem(list: unknown[], item: number, output: unknown): unknown[] {
  list[item] = output
  return list
}
