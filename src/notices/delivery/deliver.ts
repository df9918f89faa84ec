import { type Database, retryWhenUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type Claim, databaseNow, type Queue } from '#kernel/work'
import { oneLine } from '../bounded-text.ts'
import { judge, type Sent, type Verdict } from './judge.ts'
import type { NoticeMetrics } from './metrics.ts'
import type { NoticeRow } from './queues.ts'

/** Makes one try. Only the signal makes it throw: everything else that can happen is told. */
export type SendNotice = (notice: NoticeRow, signal: AbortSignal) => Promise<Sent>

interface DeliverOptions {
  readonly database: Database
  readonly queue: Queue<NoticeRow>
  readonly send: SendNotice
  readonly metrics: NoticeMetrics
  readonly log: Logger
}

/** Enough to see what the other side says. */
const mostOfProblem = 500

export function createDeliver({ database, queue, send, metrics, log }: DeliverOptions) {
  return async (claim: Claim<NoticeRow>): Promise<void> => {
    const { row, signal } = claim
    const startedAt = performance.now()
    const sent = await send(row, signal)
    const attempts = row.attempts + 1
    const ageMs = Date.now() - row.created_at.getTime()
    const verdict = judge(sent, { attempts, ageMs, random: Math.random() })
    // What has arrived should not arrive again because the database was away for a moment.
    await retryWhenUnavailable(() => record(claim, attempts, verdict), { signal })
    metrics.tried(row.kind, verdict, performance.now() - startedAt)
    tell(row, attempts, verdict)
  }

  async function record(claim: Claim<NoticeRow>, attempts: number, verdict: Verdict): Promise<void> {
    const set = {
      state: verdict.state,
      attempts,
      attempted_at: databaseNow,
      problem: verdict.state === 'delivered' ? null : oneLine(verdict.problem, mostOfProblem),
    }
    if (verdict.state === 'pending') {
      await queue.release(database, claim, { delayMs: verdict.pauseMs, set })
    } else {
      await queue.finish(database, claim, { ...set, finished_at: databaseNow })
    }
  }

  /** Without the recipient: addresses of people do not belong into logs. */
  function tell({ id, kind, about }: NoticeRow, attempts: number, verdict: Verdict): void {
    if (verdict.state === 'delivered') return
    const facts = { noticeId: id, kind, about, attempts, problem: oneLine(verdict.problem, mostOfProblem) }
    if (verdict.state === 'given_up') log.warn(facts, 'a notice was given up')
    else log.info({ ...facts, pauseMs: verdict.pauseMs }, 'a notice could not be sent and is tried again')
  }
}
