import type { ExecutionEvent, ExecutionRecord, FlowEstimate } from '#engine'
import type { CallbackEvent, WorkflowsEvent } from './event-names.ts'

/** Tells one kind of event, from what stands in the journal. Pure. */
export interface Teller {
  readonly name: WorkflowsEvent | CallbackEvent
  /** Types of the journal it tells of. */
  readonly of: readonly string[]
  /** Whether it needs to know what was to be expected, which takes a look into history. */
  readonly estimates: boolean
  /** The execution is as it was then. Undefined: there is nothing to tell. */
  readonly describe: (about: TellerInput) => Readonly<Record<string, unknown>> | undefined
}

export interface TellerInput {
  readonly event: ExecutionEvent
  readonly record: ExecutionRecord
  /** `nothingKnown` for those that do not ask for it. */
  readonly estimate: FlowEstimate
}

const unknown = { value: null, source: null, sample: 0, confidence: null }

export const nothingKnown: FlowEstimate = { duration: unknown, cost: unknown, steps: [] }
