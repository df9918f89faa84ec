import { oneLine } from '../text.ts'
import type { StreamEvent } from './follow-stream.ts'

type StepState = 'running' | 'waiting' | 'retrying' | 'completed' | 'failed' | 'skipped'

export interface StepLine {
  /** The step path; for an item of a batch with its number. */
  readonly path: string
  /** What is shown: the id of the step, inside a container with the number of the scope in front. */
  readonly name: string
  /** The path of the container around it; undefined for a step of the flow itself. */
  readonly parent: string | undefined
  readonly state: StepState
  /** Time of its start in milliseconds. */
  readonly begunAt: number
  /** Its duration, or why it failed. */
  readonly note: string
  /** The ended scopes of a container. */
  readonly scopes: ScopeCounts | undefined
}

interface ScopeCounts {
  readonly finished: number
  readonly failed: number
  /** Undefined: the container does not know it beforehand. */
  readonly total: number | undefined
}

/** The progress of an execution, built from its events. */
export interface ProgressState {
  readonly steps: ReadonlyMap<string, StepLine>
  /** The last characters that models generated. */
  readonly words: string
  readonly dollars: number
}

export const nothingYet: ProgressState = { steps: new Map(), words: '', dollars: 0 }

const maxWordsLength = 400

/** The progress after one more event. */
export function advance(before: ProgressState, event: StreamEvent, now: number): ProgressState {
  const { data } = event
  if (event.event === 'token') {
    return { ...before, words: `${before.words}${text(data['text'])}`.slice(-maxWordsLength) }
  }
  if (event.event === 'scope_finished') return { ...before, steps: withoutScope(before.steps, data) }
  const state = stateAfter[event.event]
  if (state === undefined) return before
  const steps = new Map(before.steps)
  const place = placeOf(data)
  const known = steps.get(place.path)
  const scopes = known?.scopes
  steps.set(place.path, {
    ...place,
    state,
    begunAt: known?.begunAt ?? now,
    note: noteOf(event),
    scopes,
  })
  // The cost of a container is that of its steps, which are counted.
  const cost = typeof data['cost'] === 'number' && scopes === undefined ? data['cost'] : 0
  const words = event.event === 'step_started' ? '' : before.words
  return { steps, words, dollars: before.dollars + cost }
}

const stateAfter: Readonly<Record<string, StepState>> = {
  step_started: 'running',
  wait_opened: 'waiting',
  wait_closed: 'running',
  step_retrying: 'retrying',
  step_completed: 'completed',
  step_failed: 'failed',
  step_skipped: 'skipped',
}

/** Counts an ended scope of a container. Of its steps, those that failed remain. */
function withoutScope(
  steps: ProgressState['steps'],
  data: StreamEvent['data'],
): ReadonlyMap<string, StepLine> {
  const { path } = placeOf(data)
  const container = steps.get(path)
  if (container === undefined) return steps
  const step = text(data['step_id'])
  const item = path.slice(step.length)
  const isInside = (line: StepLine) =>
    line.path.startsWith(`${step}/${text(data['index'])}/`) && line.path.endsWith(item)
  const hasFailed = ({ state, scopes: counts }: StepLine) => state === 'failed' || (counts?.failed ?? 0) > 0
  const kept = [...steps].filter(([, line]) => !isInside(line) || hasFailed(line))
  const scopes = {
    finished: Number(data['finished']),
    failed: (container.scopes?.failed ?? 0) + (data['success'] === true ? 0 : 1),
    total: typeof data['total'] === 'number' ? data['total'] : undefined,
  }
  return new Map(kept).set(path, { ...container, scopes })
}

/** The items of a batch have a line each. */
function placeOf({ step_id: step, item }: StreamEvent['data']): Pick<StepLine, 'path' | 'name' | 'parent'> {
  const suffix = typeof item === 'number' ? ` [${item + 1}]` : ''
  const parts = text(step).split('/')
  const parent = parts.slice(0, -2).join('/')
  return {
    path: `${parts.join('/')}${suffix}`,
    name: `${parts.slice(-2).join('/')}${suffix}`,
    parent: parts.length < 3 ? undefined : `${parent}${suffix}`,
  }
}

/** How deep a step is nested in containers. */
export function depthOf(path: string): number {
  return Math.floor(path.split('/').length / 2)
}

function noteOf({ event, data }: StreamEvent): string {
  if (event === 'step_started' || event === 'wait_closed') return ''
  if (event === 'wait_opened') return waitNote(data)
  if (event === 'step_retrying') return `attempt ${text(data['attempt'])}: ${oneLine(text(data['message']))}`
  if (event === 'step_skipped') return oneLine(text(data['reason']))
  const took = `${Number(data['duration'] ?? 0).toFixed(1)} s`
  if (event === 'step_failed') return `${took}  ${oneLine(messageIn(data['error']))}`
  const cost = data['cost']
  return typeof cost === 'number' && cost > 0 ? `${took}  $${cost.toFixed(6).replace(/0{1,4}$/, '')}` : took
}

function waitNote({ kind, until }: StreamEvent['data']): string {
  const what: Readonly<Record<string, string>> = { human: 'for an answer, ', event: 'for an event, ' }
  const time = text(until).slice(0, 19).replace('T', ' ')
  return `${what[text(kind)] ?? ''}until ${time} UTC`
}

/** `7 of 50, 1 failed`; empty for a step without scopes. */
export function writeScopes(scopes: ScopeCounts | undefined): string {
  if (scopes === undefined) return ''
  const { finished, failed, total } = scopes
  return `${finished}${total === undefined ? ' done' : ` of ${total}`}${failed > 0 ? `, ${failed} failed` : ''}`
}

/** Inside a container, only what needs attention is logged: a list of a thousand items would bury it. */
const loggedInside = new Set(['step_retrying', 'step_failed', 'wait_opened'])

/** One log line for an event; undefined for events that are not logged. */
export function lineOf(event: StreamEvent): string | undefined {
  const { event: type, data } = event
  const state = stateAfter[type]
  const { path } = placeOf(data)
  const depth = depthOf(path)
  if (state !== undefined) {
    if (type === 'wait_closed' || isShortWait(event) || (depth > 0 && !loggedInside.has(type)))
      return undefined
    return `${state.padEnd(9)}  ${'  '.repeat(depth)}${path}  ${noteOf(event)}`.trimEnd()
  }
  if (type === 'scope_finished') {
    const word = data['success'] === true ? 'completed' : 'failed'
    const counts = `${text(data['finished'])}${typeof data['total'] === 'number' ? ` of ${data['total']}` : ''}`
    return `${word.padEnd(9)}  ${'  '.repeat(depth + 1)}${path}/${text(data['index'])}  ${counts}`
  }
  if (type === 'agent_decision') return `decided    ${path}  ${oneLine(text(data['decision']))}`
  if (type === 'item_finished') {
    return `${data['success'] === true ? 'item done' : 'item lost'}  ${text(data['finished'])} of ${text(data['total'])}`
  }
  if (type === 'cost_alert')
    return `cost       $${text(data['spent'])} has reached $${text(data['threshold'])}`
  return undefined
}

const shortWaitMs = 10_000

function isShortWait({ event, data }: StreamEvent): boolean {
  if (event !== 'wait_opened' || data['kind'] !== 'timer') return false
  return Date.parse(text(data['until'])) - Number(data['timestamp']) * 1000 < shortWaitMs
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
