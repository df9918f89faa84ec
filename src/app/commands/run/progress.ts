import type { StreamEvent } from './follow-stream.ts'
import { oneLine } from './printable.ts'

type StepState = 'running' | 'retrying' | 'completed' | 'failed' | 'skipped'

export interface StepLine {
  readonly name: string
  readonly state: StepState
  /** Milliseconds of the clock at which it began. */
  readonly begunAt: number
  /** What is told besides: how long it took, why it failed. */
  readonly note: string
}

/** What is known of an execution that is followed. */
export interface ProgressState {
  readonly steps: ReadonlyMap<string, StepLine>
  /** The end of what models say. */
  readonly words: string
  readonly dollars: number
}

export const nothingYet: ProgressState = { steps: new Map(), words: '', dollars: 0 }

const mostWords = 400

/** What is known after one more event. */
export function advance(before: ProgressState, { event, data }: StreamEvent, now: number): ProgressState {
  if (event === 'token') {
    return { ...before, words: `${before.words}${text(data['text'])}`.slice(-mostWords) }
  }
  const state = stateAfter[event]
  if (state === undefined) return before
  const name = nameOf(data)
  const steps = new Map(before.steps)
  const known = steps.get(name)
  steps.set(name, { name, state, begunAt: known?.begunAt ?? now, note: noteOf(event, data) })
  const cost = typeof data['cost'] === 'number' ? data['cost'] : 0
  const words = event === 'step_started' ? '' : before.words
  return { steps, words, dollars: before.dollars + cost }
}

const stateAfter: Readonly<Record<string, StepState>> = {
  step_started: 'running',
  step_retrying: 'retrying',
  step_completed: 'completed',
  step_failed: 'failed',
  step_skipped: 'skipped',
}

/** In a batch every item has its own. */
function nameOf({ step_id: step, item }: StreamEvent['data']): string {
  return typeof item === 'number' ? `${text(step)} [${item + 1}]` : text(step)
}

function noteOf(event: string, data: StreamEvent['data']): string {
  if (event === 'step_started') return ''
  if (event === 'step_retrying') return `attempt ${text(data['attempt'])}: ${oneLine(text(data['message']))}`
  if (event === 'step_skipped') return oneLine(text(data['reason']))
  const took = `${Number(data['duration'] ?? 0).toFixed(1)} s`
  if (event === 'step_failed') return `${took}  ${oneLine(messageIn(data['error']))}`
  const cost = data['cost']
  return typeof cost === 'number' && cost > 0 ? `${took}  $${cost.toFixed(6).replace(/0{1,4}$/, '')}` : took
}

/** One line for an event, for whoever reads a log and not a screen. Undefined: not worth one. */
export function lineOf({ event, data }: StreamEvent): string | undefined {
  const state = stateAfter[event]
  if (state !== undefined) return `${state.padEnd(9)}  ${nameOf(data)}  ${noteOf(event, data)}`.trimEnd()
  if (event === 'agent_decision') return `decided    ${nameOf(data)}  ${oneLine(text(data['decision']))}`
  if (event === 'item_finished') {
    return `${data['success'] === true ? 'item done' : 'item lost'}  ${text(data['finished'])} of ${text(data['total'])}`
  }
  if (event === 'cost_alert')
    return `cost       $${text(data['spent'])} has reached $${text(data['threshold'])}`
  return undefined
}

function text(value: unknown): string {
  return typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)
}

function messageIn(error: unknown): string {
  return text((error as { readonly message?: unknown } | undefined)?.message)
}
