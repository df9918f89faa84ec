import { executionGauges } from '#engine'
import { epochSeconds } from '#runs'
import { type Rule, sinceWhen } from './finding.ts'
import { isQueueStuck, thresholds } from './judge.ts'

/** Workers that are gone, and executions that wait too long. */
export const queueRules: readonly Rule[] = [
  ({ queue, now }) =>
    queue.workers.some(({ alive }) => alive)
      ? []
      : [
          {
            alert: {
              level: 'critical',
              component: 'queue_processor',
              message: 'No worker runs executions.',
              since: epochSeconds(queue.workers.at(-1)?.heartbeatAt ?? now),
              impact: `Nothing that is started is worked on; ${queue.pending} executions wait.`,
            },
            recommendation:
              'Start a process with the role `all` or `worker`, and look at its log if it ended.',
          },
        ],

  (facts) => {
    const { queue, minutes, now } = facts
    const stuck = isQueueStuck(facts)
    if (!stuck && (queue.waitMs ?? 0) < thresholds.queueWaitMs) return []
    const minutesLeft = Math.round((queue.waitMs ?? 0) / 60_000)
    return [
      {
        alert: {
          level: 'warning',
          component: 'queue_processor',
          message: stuck
            ? `${queue.due} executions wait for a worker, and none runs.`
            : `${queue.due} executions wait for a worker.`,
          since: sinceWhen(minutes, now, (point) => (point.average(executionGauges.queued) ?? 0) >= 1),
          impact: stuck ? 'Nothing moves.' : `One that is added now begins in about ${minutesLeft} minutes.`,
        },
        recommendation:
          'Add a worker, or raise TUTTI_EXECUTION_CONCURRENCY where the machine has room for more.',
      },
    ]
  },
]
