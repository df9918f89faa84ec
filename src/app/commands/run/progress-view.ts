import { oneLine } from '../text.ts'
import type { StreamEvent } from './follow-stream.ts'
import {
  advance,
  depthOf,
  lineOf,
  nothingYet,
  type ProgressState,
  type StepLine,
  writeScopes,
} from './progress.ts'

/** Shows the progress of an execution. */
export interface ProgressView {
  take(event: StreamEvent): void
  /** Writes lines that stay, above a drawing. */
  say(text: string): void
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
    say: (text) => void output.write(`${text}\n`),
    close() {},
  }
}

const everyMs = 100

function createDrawing(output: Output, now: () => number): ProgressView {
  const begunAt = now()
  let state = nothingYet
  let drawn = 0

  /** Moves the cursor to the start of the last drawing and clears it. */
  const clear = () => `${drawn === 0 ? '' : `\u001b[${drawn}A`}\u001b[0J`

  function draw(isLast: boolean): void {
    // Some terminals report a size of zero.
    const width = (output.columns || 80) - 1
    const most = Math.max(3, (output.rows || 24) - 3)
    const lines = drawLines(state, { now: now(), begunAt, most, isLast }).map((line) => line.slice(0, width))
    output.write(`${clear()}${lines.join('\n')}\n`)
    drawn = lines.length
  }

  const timer = setInterval(() => draw(false), everyMs)
  return {
    take(event) {
      state = advance(state, event, now())
    },
    say(text) {
      output.write(`${clear()}${text}\n`)
      drawn = 0
      draw(false)
    },
    close() {
      clearInterval(timer)
      draw(true)
    },
  }
}

const marks: Readonly<Record<StepLine['state'], string>> = {
  running: '●',
  waiting: '◌',
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
  const steps = nested(state.steps)
  const shown = steps.slice(-most).map((step) => ({ step, name: indentedName(step) }))
  const width = Math.max(0, ...shown.map(({ name }) => name.length))
  const hidden = steps.length - shown.length
  const words = oneLine(state.words)
  const cost = state.dollars > 0 ? `  $${state.dollars.toFixed(6).replace(/0{1,4}$/, '')}` : ''
  return [
    ...(hidden > 0 ? [`  … ${hidden} more above`] : []),
    ...shown.map(({ step, name }) => `${name.padEnd(width)}  ${noteOn(step, now)}`.trimEnd()),
    ...(words !== '' && !isLast ? [`  ${words.slice(-70)}`] : []),
    `${((now - begunAt) / 1000).toFixed(1)} s${cost}`,
  ]
}

/** The steps of a container follow it, in the order of its scopes. */
function nested(steps: ProgressState['steps']): readonly StepLine[] {
  const inside = Map.groupBy(steps.values(), ({ parent }) => parent)
  const below = (parent: string | undefined): StepLine[] => {
    const lines = inside.get(parent) ?? []
    const ordered = parent === undefined ? lines : lines.toSorted((a, b) => scopeOf(a) - scopeOf(b))
    return ordered.flatMap((line) => [line, ...below(line.path)])
  }
  return below(undefined)
}

/** The number of the scope, the first part of the name of a nested step. */
function scopeOf({ name }: StepLine): number {
  return Number.parseInt(name, 10)
}

function indentedName({ path, name, state }: StepLine): string {
  return `${'  '.repeat(depthOf(path))}${marks[state]} ${name}`
}

function noteOn({ state, begunAt, note, scopes }: StepLine, now: number): string {
  const took = state === 'running' ? `${((now - begunAt) / 1000).toFixed(1)} s` : note
  return [took, writeScopes(scopes)].filter((part) => part !== '').join('  ')
}
