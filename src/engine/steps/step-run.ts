import type { Budget } from '#models'
import type { GeneratedStep, Step } from '../definition/step-types.ts'
import type { Rules } from '../execution/rules.ts'
import type { FlowRef } from '../execution/sub-flows.ts'
import type { ExpressionEvaluator } from '../expressions/evaluator.ts'
import type { Scope } from '../expressions/paths.ts'
import type { Choice } from '../graph/plan.ts'
import type { StepWait } from '../waits/execution-waits.ts'
import type { Recording } from './replay-steps.ts'
import type { StepUsage } from './step-failure.ts'

/** The phase of a step that calls a model. */
export type StepPhase = 'prompt_processed' | 'ai_response_streaming' | 'response_processing' | 'validation'

/** The context of one attempt of a step. */
export interface StepRun<Kind extends Step | GeneratedStep = Step> {
  readonly step: Kind
  /** Its step path: the id, or `translate_all/7/translate` inside a container. */
  readonly path: string
  readonly executionId: string
  readonly accountId: string
  /** The flow whose definition has the step: inside a sub-flow not the flow of the execution. */
  readonly flow: FlowRef
  /** The item of a batch, from 0. */
  readonly item: number
  /** The number of items of the batch. Default: 1, without a batch. */
  readonly items?: number | undefined
  /** From 1. */
  readonly attempt: number
  /** The recorded answers of an execution that replays them. */
  readonly replay?: Recording | undefined
  readonly scope: Scope
  /** Evaluates expressions. Default: only those that need no thread. */
  readonly evaluator?: Pick<ExpressionEvaluator, 'evaluate' | 'transform'> | undefined
  /** The failed step that would have produced the value at a path. */
  readonly failedProducerOf: (path: string) => string | undefined
  /** The ids of the flows around a container, the outermost first. */
  readonly callers?: readonly string[] | undefined
  readonly rules: Rules
  /** Providers that failed in earlier attempts and are not used again. */
  readonly avoidedProviders: ReadonlySet<string>
  /** Aborts when the execution is cancelled or times out, or its lease is lost. */
  readonly signal: AbortSignal
  /** The budget of the execution; exceeding it ends the execution. */
  readonly budget: Budget
  /** Waits, without a worker if it takes long. The executor then runs again from its start, and gets the same wait. */
  readonly wait: StepWait
  /** A piece of a model's response, as it is streamed. */
  readonly onToken: (text: string) => void
  readonly onPhase: (phase: StepPhase) => void
  readonly log: (
    level: 'info' | 'debug' | 'warning',
    message: string,
    details?: Readonly<Record<string, unknown>>,
  ) => void
}

/** A decision of a model or an agent, for example which option to continue with. */
export interface AgentDecision {
  readonly agent: string
  readonly decision: string
  /** 0 to 1; null when unknown. */
  readonly confidence: number | null
  readonly reasoning: string
  readonly contextUsed: readonly string[]
  readonly alternatives: readonly string[]
  readonly stepsAdded: readonly string[]
}

export interface StepResult {
  /** JSON, or a `JsonText`. */
  readonly output: unknown
  readonly choice?: Choice | undefined
  readonly decision?: AgentDecision | undefined
  /** 0 to 1; null when unknown. */
  readonly confidence: number | null
  /** 0 to 100; null when it was not scored. */
  readonly quality: number | null
  readonly usage: StepUsage
  /** Fields that depend on the step type, with the names of the API. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Runs steps of one type. Throws a StepFailure when the step fails. */
export type StepExecutor<Kind extends Step> = (run: StepRun<Kind>) => Promise<StepResult>
