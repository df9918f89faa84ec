import type { Outcome } from '../../parts/OutcomeBar.tsx'
import type { Tone } from '../../parts/Status.tsx'
import { describeMoment } from '../../time/describe-time.ts'
import type { Schedule } from './schedule-queries.ts'

interface Told {
  readonly tone: Tone
  readonly word: string
  readonly title?: string
}

/** One of the last runs of a schedule. */
export type RecentRun = Schedule['recent'][number]

/** The display name of a schedule; defaults to its flow. */
export function nameOf({ label, flow_id: flow }: Pick<Schedule, 'label' | 'flow_id'>): string {
  return label === null || label === '' ? flow : label
}

const states: Readonly<Record<Schedule['status'], Told>> = {
  active: { tone: 'good', word: 'Enabled' },
  paused: { tone: 'idle', word: 'Disabled' },
  ended: { tone: 'idle', word: 'Ended' },
}

/** After this many failures in a row, a schedule is failing. */
const failuresInRow = 3

/** The state of a schedule. Runs without a result, such as skipped ones, do not end a row of failures. */
export function describeState({ status, recent }: Pick<Schedule, 'status' | 'recent'>): Told {
  const results = recent
    .filter(({ outcome }) => outcome === 'completed' || isFailure(outcome))
    .slice(0, failuresInRow)
  return status === 'active' &&
    results.length === failuresInRow &&
    results.every(({ outcome }) => isFailure(outcome))
    ? { tone: 'warn', word: 'Failing', title: `The last ${failuresInRow} runs failed.` }
    : states[status]
}

function isFailure(outcome: RecentRun['outcome']): boolean {
  return outcome === 'failed' || outcome === 'not_started'
}

const outcomes: Readonly<Record<RecentRun['outcome'], Told>> = {
  queued: { tone: 'idle', word: 'Queued' },
  running: { tone: 'busy', word: 'Running' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Cancelled' },
  skipped: { tone: 'warn', word: 'Skipped', title: 'The previous execution was still running.' },
  not_started: { tone: 'bad', word: 'Not started' },
  expired: { tone: 'idle', word: 'Expired', title: 'The execution was deleted after its retention time.' },
}

/** The outcome of a run; its title is the error. */
export function describeRun({ outcome, error }: Pick<RecentRun, 'outcome' | 'error'>): Told {
  return { ...outcomes[outcome], ...(error === null ? {} : { title: error.message }) }
}

/** A run as a bar of the last outcomes. */
export function outcomeOf(run: RecentRun): Outcome {
  const { tone, word, title } = describeRun(run)
  const at = describeMoment(new Date(run.due_at * 1000))
  return {
    id: `${run.due_at} ${run.kind}`,
    tone,
    word,
    about: title === undefined ? at : `${at}: ${title}`,
    duration: run.duration,
    execution: run.outcome === 'expired' ? null : run.execution_id,
  }
}

/** The counts of the last runs: `2 completed, 8 failed`. */
export function describeCounts(runs: Schedule['runs']): string {
  const counts: ReadonlyArray<readonly [number, string]> = [
    [runs.completed, 'completed'],
    [runs.failed, 'failed'],
    [runs.cancelled, 'cancelled'],
    [runs.running, 'running'],
    [runs.skipped, 'skipped'],
    [runs.not_started, 'not started'],
  ]
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return words.length === 0 ? 'none' : words.join(', ')
}
