import type { ExecutionEvent, StepOutcome, StoredError } from '../store/commit.ts'

/** One try of a step. */
export interface Attempt {
  readonly number: number
  readonly startedAt: Date
  /** Null while it goes on. */
  readonly finishedAt: Date | null
  readonly error: Pick<StoredError, 'code' | 'message' | 'provider'> | null
}

/**
 * The tries of a step, from what was told of it: `started` is how it last began, `events` what came after that. A try that is made again
 * ends when that is told, and the next one begins after the pause.
 */
export function attemptsOf(
  started: ExecutionEvent,
  events: readonly ExecutionEvent[],
  outcome: StepOutcome | undefined,
): Attempt[] {
  const attempts: Attempt[] = []
  let open: { readonly number: number; readonly startedAt: Date } = { number: 1, startedAt: started.at }
  for (const { at, type, data } of events) {
    if (type !== 'step_retrying') continue
    const { code, message, provider } = data as unknown as Pick<StoredError, 'code' | 'message' | 'provider'>
    const error = { code, message, ...(provider !== undefined && { provider }) }
    attempts.push({ ...open, finishedAt: at, error })
    const pauseMs = Number(data['pause'] ?? 0) * 1000
    open = { number: Number(data['attempt']), startedAt: new Date(at.getTime() + pauseMs) }
  }
  return [...attempts, { ...open, finishedAt: outcome?.finishedAt ?? null, error: outcome?.error ?? null }]
}
