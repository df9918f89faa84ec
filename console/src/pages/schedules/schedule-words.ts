import type { Tone } from '../../parts/Status.tsx'
import type { Schedule } from './schedule-queries.ts'

interface Told {
  readonly tone: Tone
  readonly word: string
  readonly title?: string
}

/** What people call it; one without a name goes by its flow. */
export function nameOf({ label, flow_id: flow }: Pick<Schedule, 'label' | 'flow_id'>): string {
  return label === null || label === '' ? flow : label
}

export const scheduleStates: Readonly<Record<Schedule['status'], Told>> = {
  active: { tone: 'good', word: 'On' },
  paused: { tone: 'idle', word: 'Off' },
  ended: { tone: 'idle', word: 'Ended' },
}

const outcomes: Readonly<Record<NonNullable<Schedule['last_run']>['outcome'], Told>> = {
  started: { tone: 'good', word: 'Started' },
  skipped: { tone: 'warn', word: 'Skipped', title: 'The execution before was not over.' },
  failed: { tone: 'bad', word: 'Not started' },
}

/** What became of the last time that came; undefined before the first. */
export function describeOutcome({
  last_run: run,
  last_error: error,
}: Pick<Schedule, 'last_run' | 'last_error'>): Told | undefined {
  if (run === null) return undefined
  return { ...outcomes[run.outcome], ...(error === null ? {} : { title: error.message }) }
}
