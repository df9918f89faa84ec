import { isContainerRow, patternOfPath } from '../definition/nested-steps.ts'
import { isContainer, kindOf, type Step, stepTypes } from '../definition/step-types.ts'
import { noUsage, type StepUsage } from '../steps/step-failure.ts'
import type { StepOutcome } from '../store/commit.ts'

/** The statistics of an execution, stored in its column `facts` when it ends. Times in milliseconds, money in micro-dollars. */
export interface ExecutionStats {
  readonly flow_id: string
  readonly flow_version: number
  readonly account_id: string
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly priority: string
  readonly error_code: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string
  /** From its creation to the start of its first lease. */
  readonly queued_ms: number | null
  /** How long workers executed it, over all leases: the only source of an execution's duration. Null: it never started. */
  readonly duration_ms: number | null
  readonly spent: number
  /** A model without a price was used, so `spent` is less than the true cost. */
  readonly unpriced: boolean
  /** The peak size of context, memory and outputs together. */
  readonly peak_bytes: number
  /** Time that steps computed in this process, without waiting for I/O. */
  readonly cpu_ms: number
  readonly decisions: number
  /** 0: the execution has no batch. */
  readonly items: number
  readonly steps: readonly StepStats[]
}

/** The statistics of all outcomes of one step with the same state, provider and model. Absent numbers are 0. */
export interface StepStats {
  readonly id: string
  readonly type: string
  readonly state: StepOutcome['state']
  readonly count: number
  /** The agent of an agent step. */
  readonly agent?: string
  readonly ms?: number
  readonly attempts?: number
  readonly provider?: string
  readonly model?: string
  readonly input_tokens?: number
  readonly output_tokens?: number
  readonly spent?: number
  readonly ai_calls?: number
  readonly cache_hits?: number
  readonly network_requests?: number
  readonly ai_ms?: number
  readonly api_ms?: number
  readonly quality_sum?: number
  readonly quality_count?: number
  readonly confidence_sum?: number
  readonly confidence_count?: number
}

/** The attributes of an execution that its statistics repeat. */
export interface StatsSubject {
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: string
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly items: number
}

export interface StatsEnd {
  readonly status: ExecutionStats['status']
  readonly errorCode: string | null
  readonly finishedAt: Date
  /** How long workers executed it. */
  readonly durationMs: number
  readonly spent: number
  readonly peakBytes: number
}

/** Sums up the outcomes of an execution one by one. */
export interface StatsCollector {
  add(outcome: StepOutcome): void
  close(subject: StatsSubject, end: StatsEnd): ExecutionStats
}

const noDetails: StepOutcome['details'] = {}

/** The duration of such steps is no work: an execution that is suspended meanwhile does not count it either. */
const waitingTypes: ReadonlySet<string> = new Set(stepTypes.filter((type) => kindOf({ type }).traits.waits))

type Numbers = { -readonly [Name in keyof StepStats]: StepStats[Name] }

/** `findStep` returns the step of an outcome. It is called for every outcome; their order does not matter. */
export function createStatsCollector(findStep: (outcome: StepOutcome) => Step | undefined): StatsCollector {
  const groups = new Map<string, Numbers>()
  /** The first outcome of each group, which gives the groups an order. */
  const firstSeq = new Map<Numbers, number>()
  let decisions = 0
  let cpuMs = 0
  let unpriced = false

  return {
    add(outcome) {
      const step = findStep(outcome)
      // A fork reused the outcome; the original execution has counted it.
      if (outcome.details['reused_from'] !== undefined) return
      if (isContainerRow(outcome.stepId)) return
      const { state, attempts, startedAt, finishedAt } = outcome
      // The usage of a container is the sum of its steps, which are counted themselves.
      const type = step?.type ?? outcome.details.step_type
      const isSum = type !== undefined && isContainer({ type: type as Step['type'] })
      const { details, spent } = isSum ? { details: noDetails, spent: 0 } : outcome
      const stepId = patternOfPath(outcome.stepId)
      const { usage, quality, confidence, decision, cpu_ms: cpu } = details
      const provider = usage?.provider ?? undefined
      const model = usage?.model ?? undefined
      const name = `${stepId} ${state} ${provider} ${model}`
      let group = groups.get(name)
      if (group === undefined) {
        group = { id: stepId, type: type ?? 'unknown', state, count: 0 }
        const agent = step === undefined ? undefined : kindOf(step).agentOf?.(step)
        if (agent !== undefined) group.agent = agent
        if (provider !== undefined) group.provider = provider
        if (model !== undefined) group.model = model
        groups.set(name, group)
      }
      group.count += 1
      firstSeq.set(group, Math.min(firstSeq.get(group) ?? outcome.seq, outcome.seq))
      increase(group, 'attempts', attempts)
      if (startedAt !== null && !waitingTypes.has(group.type))
        increase(group, 'ms', finishedAt.getTime() - startedAt.getTime())
      increase(group, 'spent', spent ?? 0)
      if (usage !== undefined) addUsage(group, usage)
      if (typeof quality === 'number') increaseWithCount(group, 'quality', quality)
      if (typeof confidence === 'number') increaseWithCount(group, 'confidence', confidence)
      if (decision !== undefined && decision !== null) decisions += 1
      cpuMs += cpu ?? 0
      unpriced ||= spent === null
    },

    close(subject, { status, errorCode, finishedAt, durationMs, spent, peakBytes }) {
      const { startedAt, createdAt } = subject
      return {
        flow_id: subject.flowId,
        flow_version: subject.flowVersion,
        account_id: subject.accountId,
        status,
        priority: subject.priority,
        error_code: errorCode,
        created_at: createdAt.toISOString(),
        started_at: startedAt?.toISOString() ?? null,
        finished_at: finishedAt.toISOString(),
        queued_ms: startedAt === null ? null : Math.max(0, startedAt.getTime() - createdAt.getTime()),
        duration_ms: startedAt === null ? null : durationMs,
        spent,
        unpriced,
        peak_bytes: peakBytes,
        cpu_ms: Math.round(cpuMs * 1000) / 1000,
        decisions,
        items: subject.items,
        steps: [...groups.values()].sort(
          (left, right) => (firstSeq.get(left) ?? 0) - (firstSeq.get(right) ?? 0),
        ),
      }
    },
  }
}

function addUsage(group: Numbers, usage: StepUsage): void {
  increase(group, 'input_tokens', usage.inputTokens)
  increase(group, 'output_tokens', usage.outputTokens)
  increase(group, 'ai_calls', usage.aiCalls)
  increase(group, 'cache_hits', usage.cacheHits)
  increase(group, 'network_requests', usage.networkRequests)
  increase(group, 'ai_ms', usage.aiMs)
  increase(group, 'api_ms', usage.apiMs)
}

type Countable = Exclude<keyof StepStats, 'id' | 'type' | 'state' | 'agent' | 'provider' | 'model'>

function increase(group: Numbers, name: Countable, by: number): void {
  if (by !== 0) group[name] = (group[name] ?? 0) + by
}

function increaseWithCount(group: Numbers, name: 'quality' | 'confidence', by: number): void {
  increase(group, `${name}_sum`, by)
  increase(group, `${name}_count`, 1)
}

/** Details that every step that ran has; further ones depend on the type of the step. */
export interface OutcomeDetails {
  readonly confidence: number | null
  readonly quality: number | null
  readonly decision: object | null
  readonly usage: StepUsage
  readonly cpu_ms: number
  /** On a failed step: its failure ended the execution, or the batch item. */
  readonly aborted?: boolean
  /** The type of a step that the engine has added, which the definition of the flow does not have. */
  readonly step_type?: string
}

type Details = StepOutcome['details']

type Values = Readonly<Record<string, unknown>>

/** Defaults that are not stored, because most steps have them. */
const defaultDetails: Readonly<Record<string, unknown>> = {
  confidence: null,
  quality: null,
  decision: null,
  cpu_ms: 0,
} satisfies Omit<OutcomeDetails, 'usage' | 'aborted'>

/** Details without their defaults, as they are stored. */
export function packDetails(details: Details): Values {
  const { usage, ...rest } = details
  const packed = without(rest, defaultDetails)
  return usage === undefined || usage === noUsage
    ? packed
    : { ...packed, usage: without(usage as unknown as Values, noUsage as unknown as Values) }
}

/** Stored details with their defaults. The details of skipped steps have no defaults. */
export function unpackDetails(state: StepOutcome['state'], details: Details): Details {
  if (state === 'skipped') return details
  return { ...defaultDetails, ...details, usage: { ...noUsage, ...(details['usage'] as object | undefined) } }
}

function without(values: Values, defaults: Values): Values {
  const kept: Record<string, unknown> = {}
  for (const name in values) if (defaults[name] !== values[name]) kept[name] = values[name]
  return kept
}
