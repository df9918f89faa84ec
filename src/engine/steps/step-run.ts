import type { Purse } from '#models'
import type { Step } from '../definition/step-types.ts'
import type { Rules } from '../execution/rules.ts'
import type { Scope } from '../expressions/path.ts'
import type { Choice } from '../graph/plan.ts'

/** What a step that asks a model is doing. */
export type StepPhase = 'prompt_processed' | 'ai_response_streaming' | 'response_processing' | 'validation'

/** What a step can see and use while it runs. */
export interface StepRun<Kind extends Step = Step> {
  readonly step: Kind
  readonly executionId: string
  readonly accountId: string
  /** Which item of a batch it runs for, from 0. */
  readonly item: number
  /** How many items the batch has. Default: 1, for there is none. */
  readonly items?: number | undefined
  /** 1 the first time. */
  readonly attempt: number
  readonly scope: Scope
  /** The step that would have made what is missing at a path, had it not failed. */
  readonly failedMakerOf: (path: string) => string | undefined
  readonly rules: Rules
  /** Providers that failed this step before and are not to be asked again. */
  readonly avoidedProviders: ReadonlySet<string>
  /** Aborts when the execution is cancelled, out of time or lost. */
  readonly signal: AbortSignal
  /** Where the money comes from; its refusal ends the execution. */
  readonly purse: Purse
  /** A piece of a model's answer, as it comes. */
  readonly onToken: (text: string) => void
  readonly onPhase: (phase: StepPhase) => void
  readonly log: (
    level: 'info' | 'debug' | 'warning',
    message: string,
    details?: Readonly<Record<string, unknown>>,
  ) => void
}

/** What a model or an agent decided about the way on. */
export interface AgentDecision {
  readonly agent: string
  readonly decision: string
  /** 0 to 1; null when nothing measured it. */
  readonly confidence: number | null
  readonly reasoning: string
  readonly contextUsed: readonly string[]
  readonly alternatives: readonly string[]
  readonly stepsAdded: readonly string[]
}

/** What a step took. */
export interface StepUsage {
  readonly provider: string | null
  readonly model: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whole micro-dollars; null when a model without a price answered. */
  readonly microDollars: number | null
  readonly aiCalls: number
  readonly cacheHits: number
  readonly networkRequests: number
  readonly aiMs: number
  readonly apiMs: number
}

export const noUsage: StepUsage = {
  provider: null,
  model: null,
  inputTokens: 0,
  outputTokens: 0,
  microDollars: 0,
  aiCalls: 0,
  cacheHits: 0,
  networkRequests: 0,
  aiMs: 0,
  apiMs: 0,
}

export interface StepResult {
  /** JSON. */
  readonly output: unknown
  readonly choice?: Choice | undefined
  readonly decision?: AgentDecision | undefined
  /** 0 to 1; null when nothing measured it. */
  readonly confidence: number | null
  /** 0 to 100; null when nothing measured it. */
  readonly quality: number | null
  readonly usage: StepUsage
  /** What only steps of this type tell, by the names of the interface. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Runs steps of one type. Throws a StepFailure. */
export type StepExecutor<Kind extends Step> = (run: StepRun<Kind>) => Promise<StepResult>
