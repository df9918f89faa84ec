import type { StreamEvent } from './follow-stream.ts'
import { oneLine } from './printable.ts'
import { advance, lineOf, nothingYet, type ProgressState, type StepLine } from './progress.ts'

/** Tells how an execution goes. */
export interface ProgressView {
  take(event: StreamEvent): void
  /** Leaves the last picture where it is. */
  close(): void
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** A picture that changes in place on a terminal, and a line for each event anywhere else. */
export function createProgressView(output: Output, now: () => number = Date.now): ProgressView {
  return output.isTTY === true ? createPicture(output, now) : createLines(output)
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

function createPicture(output: Output, now: () => number): ProgressView {
  const begunAt = now()
  let state = nothingYet
  let drawn = 0

  function draw(isLast: boolean): void {
    // Some terminals say that they have no size at all.
    const width = (output.columns || 80) - 1
    const most = Math.max(3, (output.rows || 24) - 3)
    const lines = drawLines(state, { now: now(), begunAt, most, isLast }).map((line) => line.slice(0, width))
    // Back to where the last picture began, and away with it.
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
  /** Lines at most. */
  readonly most: number
  /** Nothing comes after it. */
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
