import type { Flow, FlowEstimate } from '#engine'
import type { CatalogueEntry } from '#models'

/** What executions of a flow have shown in the last weeks. */
export interface FlowRecord {
  readonly completed: number
  readonly failed: number
  /** From 0 to 100, of texts whose quality was measured. */
  readonly quality: { readonly mean: number; readonly samples: number } | null
  /** What an execution held at its largest, on average. */
  readonly bytes: number | null
}

/** A step that asks a model, and the model that would answer. */
export interface AskedModel {
  readonly stepId: string
  /** What the step names; null: the default chain. */
  readonly named: string | null
  /** Undefined when nobody can answer. */
  readonly entry: CatalogueEntry | undefined
  /** What it has read and written on average; null when it was never run. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

/** A flow that might be recommended, and everything known of it. Money in micro-dollars, times in milliseconds. */
export interface Candidate {
  readonly flow: Pick<Flow, 'flowId' | 'version' | 'definition' | 'metadata' | 'builtIn'>
  readonly record: FlowRecord
  readonly estimate: FlowEstimate
  readonly models: readonly AskedModel[]
}

/** Executions that ended by themselves. */
export function samplesOf({ record }: Pick<Candidate, 'record'>): number {
  return record.completed + record.failed
}

/** What is known of a flow before its executions are looked at closely. */
export type KnownFlow = Omit<Candidate, 'estimate'>
