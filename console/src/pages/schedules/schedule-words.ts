import type { Tone } from '../../parts/Status.tsx'
import type { Schedule } from './schedule-queries.ts'

interface Told {
  readonly tone: Tone
  readonly word: string
  readonly title?: string
}

/** The display name of a schedule; defaults to its flow. */
export function nameOf({ label, flow_id: flow }: Pick<Schedule, 'label' | 'flow_id'>): string {
  return label === null || label === '' ? flow : label
}

export const scheduleStates: Readonly<Record<Schedule['status'], Told>> = {
  active: { tone: 'good', word: 'Enabled' },
  paused: { tone: 'idle', word: 'Disabled' },
  ended: { tone: 'idle', word: 'Ended' },
}

const outcomes: Readonly<Record<NonNullable<Schedule['last_run']>['outcome'], Told>> = {
  started: { tone: 'good', word: 'Started' },
  skipped: { tone: 'warn', word: 'Skipped', title: 'The previous execution was still running.' },
  failed: { tone: 'bad', word: 'Not started' },
}

/** The outcome of the last run; undefined before the first. */
export function describeOutcome({
  last_run: run,
  last_error: error,
}: Pick<Schedule, 'last_run' | 'last_error'>): Told | undefined {
  if (run === null) return undefined
  return { ...outcomes[run.outcome], ...(error === null ? {} : { title: error.message }) }
}
