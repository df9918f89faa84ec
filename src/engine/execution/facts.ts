import type { Step } from '../definition/step-types.ts'
import type { StepUsage } from '../steps/step-run.ts'
import type { StepOutcome } from '../store/commit.ts'

/** What an execution took and made in numbers, as it is kept when it ends. Times in milliseconds, money in micro-dollars. */
export interface ExecutionFacts {
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
  /** How long workers executed it, over all leases: the one source of an execution's time. Null: it never began. */
  readonly duration_ms: number | null
  readonly spent: number
  /** A model without a price answered: what was spent is less than what it cost. */
  readonly unpriced: boolean
  /** The most that context, memory and outputs took together. */
  readonly peak_bytes: number
  /** What steps computed in this process; waiting for others does not count. */
  readonly cpu_ms: number
  readonly decisions: number
  /** 0: no batch. */
  readonly items: number
  readonly steps: readonly StepFacts[]
}

/** The same for all outcomes of one step that ended in the same way, with the same model. What is absent is 0. */
export interface StepFacts {
  readonly id: string
  readonly type: string
  readonly state: StepOutcome['state']
  readonly count: number
  /** Who did it, of a step that has an agent do its work. */
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

/** The execution itself, as far as facts tell of it. */
export interface FactsAbout {
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: string
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly items: number
}

interface FactsEnd {
  readonly status: ExecutionFacts['status']
  readonly errorCode: string | null
  readonly finishedAt: Date
  /** How long workers executed it. */
  readonly durationMs: number
  readonly spent: number
  readonly peakBytes: number
}

/** Adds up the outcomes of an execution as they come. */
export interface Tally {
  add(outcome: StepOutcome): void
  /** Outcomes that stand, in the order they came. */
  close(about: FactsAbout, end: FactsEnd): ExecutionFacts
}

type Numbers = { -readonly [Name in keyof StepFacts]: StepFacts[Name] }

export function createTally(steps: ReadonlyMap<string, Step>): Tally {
  const groups = new Map<string, Numbers>()
  let decisions = 0
  let cpuMs = 0
  let unpriced = false

  return {
    add(outcome) {
      // A fork took it over; it was counted where it was made.
      if (outcome.details['reused_from'] !== undefined) return
      const { stepId, state, details, spent, attempts, startedAt, finishedAt } = outcome
      const { usage, quality, confidence, decision, cpu_ms: cpu } = details as Partial<OutcomeDetails>
      const provider = usage?.provider ?? undefined
      const model = usage?.model ?? undefined
      const name = `${stepId} ${state} ${provider} ${model}`
      let group = groups.get(name)
      if (group === undefined) {
        const step = steps.get(stepId)
        group = { id: stepId, type: step?.type ?? 'unknown', state, count: 0 }
        if (step?.type === 'agent') group.agent = step.agent
        if (provider !== undefined) group.provider = provider
        if (model !== undefined) group.model = model
        groups.set(name, group)
      }
      group.count += 1
      raise(group, 'attempts', attempts)
      if (startedAt !== null) raise(group, 'ms', finishedAt.getTime() - startedAt.getTime())
      raise(group, 'spent', spent ?? 0)
      if (usage !== undefined) addUsage(group, usage)
      if (typeof quality === 'number') raiseWithCount(group, 'quality', quality)
      if (typeof confidence === 'number') raiseWithCount(group, 'confidence', confidence)
      if (decision !== undefined && decision !== null) decisions += 1
      cpuMs += cpu ?? 0
      unpriced ||= spent === null
    },

    close(about, { status, errorCode, finishedAt, durationMs, spent, peakBytes }) {
      const { startedAt, createdAt } = about
      return {
        flow_id: about.flowId,
        flow_version: about.flowVersion,
        account_id: about.accountId,
        status,
        priority: about.priority,
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
        items: about.items,
        steps: [...groups.values()],
      }
    },
  }
}

/** What steps that ran leave in their details, besides what only their type tells. */
export interface OutcomeDetails {
  readonly confidence: number | null
  readonly quality: number | null
  readonly decision: object | null
  readonly usage: StepUsage
  readonly cpu_ms: number
  /** Of a failed step: the execution, or its item of a batch, ended with it. */
  readonly aborted?: boolean
}

function addUsage(group: Numbers, usage: StepUsage): void {
  raise(group, 'input_tokens', usage.inputTokens)
  raise(group, 'output_tokens', usage.outputTokens)
  raise(group, 'ai_calls', usage.aiCalls)
  raise(group, 'cache_hits', usage.cacheHits)
  raise(group, 'network_requests', usage.networkRequests)
  raise(group, 'ai_ms', usage.aiMs)
  raise(group, 'api_ms', usage.apiMs)
}

type Countable = Exclude<keyof StepFacts, 'id' | 'type' | 'state' | 'agent' | 'provider' | 'model'>

function raise(group: Numbers, name: Countable, by: number): void {
  if (by !== 0) group[name] = (group[name] ?? 0) + by
}

function raiseWithCount(group: Numbers, name: 'quality' | 'confidence', by: number): void {
  raise(group, `${name}_sum`, by)
  raise(group, `${name}_count`, 1)
}
