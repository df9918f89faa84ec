import { oneLine } from '../text.ts'
import type { StreamEvent } from './follow-stream.ts'

type StepState = 'running' | 'retrying' | 'completed' | 'failed' | 'skipped'

interface StepLine {
  readonly name: string
  readonly state: StepState
  /** Time of its start in milliseconds. */
  readonly begunAt: number
  /** Its duration, or why it failed. */
  readonly note: string
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
export function advance(before: ProgressState, { event, data }: StreamEvent, now: number): ProgressState {
  if (event === 'token') {
    return { ...before, words: `${before.words}${text(data['text'])}`.slice(-maxWordsLength) }
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

/** The items of a batch have a line each. */
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

/** One log line for an event; undefined for events that are not logged. */
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

/** Shows the progress of an execution. */
export interface ProgressView {
  take(event: StreamEvent): void
  /** Draws for the last time and leaves it on the terminal. */
  close(): void
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** Redraws in place on a terminal; elsewhere writes one line for each event. */
export function createProgressView(output: Output, now: () => number = Date.now): ProgressView {
  return output.isTTY === true ? createDrawing(output, now) : createLines(output)
}

function createLines(output: Output): ProgressView {
  return {
    take(event) {
      const line = lineOf(event)
      if (line !== undefined) output.write(`${line}\n`)
    },
    close() {},
  }
}

const everyMs = 100

function createDrawing(output: Output, now: () => number): ProgressView {
  const begunAt = now()
  let state = nothingYet
  let drawn = 0

  function draw(isLast: boolean): void {
    // Some terminals report a size of zero.
    const width = (output.columns || 80) - 1
    const most = Math.max(3, (output.rows || 24) - 3)
    const lines = drawLines(state, { now: now(), begunAt, most, isLast }).map((line) => line.slice(0, width))
    // Moves the cursor to the start of the last drawing and clears it.
    const back = drawn === 0 ? '' : `\u001b[${drawn}A`
    output.write(`${back}\u001b[0J${lines.join('\n')}\n`)
    drawn = lines.length
  }

  const timer = setInterval(() => draw(false), everyMs)
  return {
    take(event) {
      state = advance(state, event, now())
    },
    close() {
      clearInterval(timer)
      draw(true)
    },
  }
}

const marks: Readonly<Record<StepLine['state'], string>> = {
  running: '●',
  retrying: '↻',
  completed: '✓',
  failed: '✗',
  skipped: '–',
}

interface DrawOptions {
  readonly now: number
  readonly begunAt: number
  /** Maximum number of lines. */
  readonly most: number
  /** The final drawing. */
  readonly isLast: boolean
}

export function drawLines(state: ProgressState, { now, begunAt, most, isLast }: DrawOptions): string[] {
  const steps = [...state.steps.values()]
  const shown = steps.slice(-most)
  const width = Math.max(0, ...shown.map(({ name }) => name.length))
  const hidden = steps.length - shown.length
  const words = oneLine(state.words)
  const cost = state.dollars > 0 ? `  $${state.dollars.toFixed(6).replace(/0{1,4}$/, '')}` : ''
  return [
    ...(hidden > 0 ? [`  … ${hidden} more above`] : []),
    ...shown.map(({ name, state: is, begunAt: at, note }) => {
      const took = is === 'running' ? `${((now - at) / 1000).toFixed(1)} s` : note
      return `${marks[is]} ${name.padEnd(width)}  ${took}`
    }),
    ...(words !== '' && !isLast ? [`  ${words.slice(-70)}`] : []),
    `${((now - begunAt) / 1000).toFixed(1)} s${cost}`,
  ]
}
