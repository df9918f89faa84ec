import { type HistoryResult, quantileMs } from '#engine'
import { scoreFactors } from '#executions-api'
import type { CatalogueEntry } from '#models'
import type { AgentDefinition, AgentStatus } from '../agents/definition.ts'

type StepSums = NonNullable<ReturnType<HistoryResult<'agents'>['get']>>

/** A value from past runs or from prices. */
export interface Estimated {
  readonly value: number | null
  readonly source: 'agent_history' | 'catalogue' | null
}

/** The estimate of a run. Money in micro-dollars, times in milliseconds. */
export interface AgentEstimate {
  readonly cost: Estimated
  readonly duration: Estimated
  /** The surcharge of the agent besides the model; null when the tokens are unknown. */
  readonly charge: number | null
  /** The discount per item of a batch; null likewise. */
  readonly bulkDiscount: number | null
  readonly tokens: { readonly input: number; readonly output: number } | null
}

/** An agent with its track record and model, before the estimate. */
export interface KnownAgent {
  readonly agent: AgentDefinition
  readonly status: AgentStatus
  readonly record: AgentRecord
  /** The model it would use; undefined when it calls none or none is available. */
  readonly model: CatalogueEntry | undefined
}

/** An agent that may be recommended. */
export interface Candidate extends KnownAgent {
  readonly estimate: AgentEstimate
}

/** Whether it calls a model. */
export function usesModel({ agent }: Pick<KnownAgent, 'agent'>): boolean {
  return agent.prompt !== undefined
}

/** Whether it can run without a language model. */
export function worksWithoutModel({ agent }: Pick<KnownAgent, 'agent'>): boolean {
  return agent.prompt === undefined || agent.analysis_output !== undefined
}

/** The track record of an agent. Money in micro-dollars, times in milliseconds; null when unknown. */
export interface AgentRecord extends scoreFactors.TrackRecord {
  readonly medianMs: number | null
  /** The average of completed runs. */
  readonly averageMicroDollars: number | null
  /** Average input and output tokens of a run. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

export function recordOf(sums: StepSums | undefined): AgentRecord {
  const { completed = 0, failed = 0 } = sums ?? {}
  const runs = completed + failed
  return {
    completed,
    failed,
    medianMs: sums === undefined ? null : quantileMs(sums.took, 0.5),
    averageMicroDollars: sums === undefined || completed === 0 ? null : sums.completed_spent / completed,
    quality: scoreFactors.meanQuality(sums?.quality_sum ?? 0, sums?.quality_count ?? 0),
    tokens:
      sums === undefined || runs === 0
        ? null
        : { input: sums.input_tokens / runs, output: sums.output_tokens / runs },
  }
}
