import { joinTexts } from '../../execution/join-texts.ts'
import type { StepDetail, Trace, TracedStep } from '../../executions/execution-queries.ts'
import { isUnderWay, type stepWords } from '../../executions/execution-words.ts'
import { sampleContext } from '../../workflow/sample-context.ts'
import { isObject, type Json, type JsonObject, type JsonPath, valueAt } from '../document/json.ts'

/** The last test run of a draft, as far as known. */
export interface TryRun {
  readonly execution: string
  readonly status: Trace['status']
  readonly isUnderWay: boolean
  /** The steps by ID, in the order of the tested draft. */
  readonly steps: ReadonlyMap<string, TriedStep>
  /** Whether the draft changed since the test run. */
  readonly isOfOlderDraft: boolean
  /** The cost so far in dollars, without the calls of models of unknown price. */
  readonly cost: number
  /** Null until the test run finished. */
  readonly durationMs: number | null
  /** Why the test run did not complete. */
  readonly error: TryError | null
}

/** One step of a test run. */
export interface TriedStep {
  readonly state: keyof typeof stepWords
  readonly label: string
  /** The output or the streamed text, shortened; null without one. */
  readonly output: string | null
  /** The complete output; undefined until it is known. */
  readonly made: Json | undefined
  /** The cost in dollars; null when a model of unknown price was called, and before any call. */
  readonly cost: number | null
  readonly durationMs: number | null
  readonly error: TryError | null
  /** Why the step was skipped. */
  readonly skippedBecause: string | null
  /** The type and the progress of a container; null for other steps, and before it is opened. */
  readonly inside: { readonly type: string; readonly nested: NonNullable<TracedStep['nested']> } | null
}

export interface TryError {
  readonly code: string
  readonly message: string
}

/** The result of a finished test run. */
export interface Outcome {
  readonly error: TryError | null
  readonly made: ReadonlyMap<string, Json>
}

/** The part of a step detail response that a test run shows. */
export type Told = Pick<StepDetail, 'state' | 'text_so_far' | 'output'>

interface Known {
  readonly execution: string
  /** Undefined until the first response. */
  readonly trace: Trace | undefined
  /** Model output received since the stream was opened, by step. */
  readonly texts: ReadonlyMap<string, string>
  /** The responses for single steps. */
  readonly details: ReadonlyMap<string, Told>
  readonly outcome: Outcome | undefined
  readonly isOfOlderDraft: boolean
}

/** Longer output is available on the page of the run. */
const maxCharacters = 4_000

/** Combines the trace, the stream and the result of a test run. */
export function tryRunOf(known: Known): TryRun {
  const { execution, trace, outcome, isOfOlderDraft } = known
  if (trace === undefined) {
    return {
      execution,
      status: 'queued',
      isUnderWay: true,
      steps: new Map(),
      isOfOlderDraft,
      cost: 0,
      durationMs: null,
      error: null,
    }
  }
  const { finished_at: finished, execution_time: time } = trace
  return {
    execution,
    status: trace.status,
    isUnderWay: isUnderWay(trace.status),
    steps: new Map(trace.steps.map((step) => [step.step_id, triedStep(step, known)])),
    isOfOlderDraft,
    cost: trace.steps.reduce((sum, { cost }) => sum + cost, 0),
    durationMs: time === null || finished === null ? null : time * 1000,
    error: outcome?.error ?? null,
  }
}

function triedStep(step: TracedStep, known: Known): TriedStep {
  const { started_at: started, finished_at: finished } = step
  const isLeftOver =
    step.state === 'not_run' ||
    (step.state === 'waiting' && known.trace !== undefined && !isUnderWay(known.trace.status))
  const state = isLeftOver ? 'skipped' : step.state
  const made = state === 'completed' ? madeBy(step, known) : undefined
  const isBegun = state !== 'waiting' && state !== 'skipped'
  return {
    state,
    label: step.label ?? step.step_id,
    output: isBegun ? shortened(made === undefined ? saidBy(step, known) : textOf(made), state) : null,
    made,
    cost: finished === null || !isBegun ? null : step.cost,
    durationMs: started === null || finished === null ? null : (finished - started) * 1000,
    error: step.error === null ? null : { code: step.error.code, message: step.error.message },
    skippedBecause: isLeftOver ? 'Not reached.' : step.skipped_because,
    inside: step.nested === null ? null : { type: step.step_type, nested: step.nested },
  }
}

function madeBy({ step_id: id }: TracedStep, { outcome, details }: Known): Json | undefined {
  const detail = details.get(id)
  // The API schema leaves outputs open; they are JSON.
  return outcome?.made.get(id) ?? (detail?.state === 'completed' ? (detail.output as Json) : undefined)
}

function saidBy({ step_id: id }: TracedStep, { texts, details }: Known): string {
  return joinTexts(details.get(id)?.text_so_far ?? '', texts.get(id) ?? '')
}

/** Shortens a text: a streamed one keeps its end, which is the newest part, and a complete one its beginning. */
function shortened(text: string, state: TriedStep['state']): string | null {
  if (text === '') return null
  if (text.length <= maxCharacters) return text
  return state === 'running' ? `…${text.slice(-maxCharacters)}` : `${text.slice(0, maxCharacters)}…`
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** The required inputs missing from the sample. */
export function missingIn(input: JsonObject, requiredInputs: readonly string[]): readonly string[] {
  return requiredInputs.filter((path) => valueAt(input, partsOf(path)) === undefined)
}

/** The input with all required fields; existing values are kept. */
export function withNeeded(input: JsonObject, requiredInputs: readonly string[]): JsonObject {
  const missing = missingIn(input, requiredInputs)
  // A sample contains only JSON values.
  const { content, ...sample } = sampleContext(missing) as JsonObject
  const wantsContent = content !== undefined && missing.some((path) => partsOf(path)[0] === 'content')
  return laidOver(wantsContent ? { content, ...sample } : sample, input)
}

/** Merges two objects deeply; `top` wins. */
function laidOver(below: JsonObject, top: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...top }
  for (const [key, value] of Object.entries(below)) {
    const above = top[key]
    if (above === undefined) merged[key] = value
    else if (isObject(above) && isObject(value)) merged[key] = laidOver(value, above)
  }
  return merged
}

function partsOf(path: string): JsonPath {
  return path.replace(/^context\./, '').split('.')
}
