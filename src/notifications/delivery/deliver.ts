import { type Database, retryWhenUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type Claim, databaseNow, type Queue } from '#kernel/work'
import { oneLine } from '../bounded-text.ts'
import { classifyAttempt, type Outcome, type SendResult } from './classify-attempt.ts'
import type { NotificationMetrics } from './metrics.ts'
import type { NotificationRow } from './queues.ts'

/** Makes one attempt. It throws when the signal aborts; every other failure is part of the result. */
export type SendNotification = (notification: NotificationRow, signal: AbortSignal) => Promise<SendResult>

interface DeliverOptions {
  readonly database: Database
  readonly queue: Queue<NotificationRow>
  readonly send: SendNotification
  readonly metrics: NotificationMetrics
  readonly log: Logger
}

/** Enough for the message of a mail server or of Slack. */
const maxProblemLength = 500

/** Handles one claimed notification: sends it, then records, counts and logs the outcome. */
export function createDeliver({ database, queue, send, metrics, log }: DeliverOptions) {
  return async (claim: Claim<NotificationRow>): Promise<void> => {
    const { row, signal } = claim
    const startedAt = performance.now()
    const result = await send(row, signal)
    const attempts = row.attempts + 1
    const ageMs = Date.now() - row.created_at.getTime()
    const outcome = classifyAttempt(result, { attempts, ageMs, random: Math.random() })
    // A delivered notification must not be sent again because the database was unavailable for a moment.
    await retryWhenUnavailable(() => record(claim, attempts, outcome), { signal })
    metrics.recordAttempt(row.kind, outcome, performance.now() - startedAt)
    logOutcome(row, attempts, outcome)
  }

  async function record(claim: Claim<NotificationRow>, attempts: number, outcome: Outcome): Promise<void> {
    const set = {
      state: outcome.state,
      attempts,
      attempted_at: databaseNow,
      problem: outcome.state === 'delivered' ? null : oneLine(outcome.problem, maxProblemLength),
    }
    if (outcome.state === 'pending') {
      await queue.release(database, claim, { delayMs: outcome.pauseMs, set })
    } else {
      await queue.finish(database, claim, { ...set, finished_at: databaseNow })
    }
  }

  /** Omits the recipient: logs must not contain people's addresses. */
  function logOutcome({ id, kind, about }: NotificationRow, attempts: number, outcome: Outcome): void {
    if (outcome.state === 'delivered') return
    const fields = {
      notificationId: id,
      kind,
      about,
      attempts,
      problem: oneLine(outcome.problem, maxProblemLength),
    }
    if (outcome.state === 'given_up') log.warn(fields, 'notification given up')
    else log.info({ ...fields, pauseMs: outcome.pauseMs }, 'notification not sent, will be retried')
  }
}
