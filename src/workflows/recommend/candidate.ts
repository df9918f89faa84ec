import type { Flow, HistoryResult } from '#engine'
import type { scoreFactors } from '#executions-api'
import type { CatalogueEntry } from '#models'

/** The track record of a flow in the last weeks. */
export interface FlowRecord extends scoreFactors.TrackRecord {
  /** Average peak memory of an execution. */
  readonly bytes: number | null
}

/** A step with a model call, and the model it would use. */
export interface AskedModel {
  readonly stepId: string
  /** The model of the step; null: the default chain. */
  readonly named: string | null
  /** Undefined when no model is available. */
  readonly entry: CatalogueEntry | undefined
  /** Average input and output tokens; null without runs. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

/** A flow that may be recommended. Money in micro-dollars, times in milliseconds. */
export interface Candidate {
  readonly flow: Pick<Flow, 'flowId' | 'version' | 'definition' | 'metadata' | 'builtIn'>
  readonly record: FlowRecord
  readonly estimate: HistoryResult<'estimate'>
  readonly models: readonly AskedModel[]
}

/** Completed and failed executions. */
export function samplesOf({ record }: Pick<Candidate, 'record'>): number {
  return record.completed + record.failed
}

/** A candidate before its estimate. */
export type KnownFlow = Omit<Candidate, 'estimate'>
