import type { ExecutionRecord } from '#engine'
import type { Principal } from '#kernel/http'
import { describeProgress, type EstimateExecution, epochSeconds, expectationOf, managesAll } from '#runs'
import type { Watched } from '../options.ts'

const mostShown = 50

/** Executions under way that somebody may see: with `manage workflows` everybody's, else one's own. */
export async function describeActive(
  { engine, activity }: Pick<Watched, 'engine' | 'activity'>,
  estimate: EstimateExecution,
  principal: Principal,
  now: Date,
) {
  if (principal.id === null && !managesAll(principal)) return []
  const accountId = managesAll(principal) ? undefined : (principal.id ?? undefined)
  const ids = await activity.running({ accountId, limit: mostShown })
  const records = await Promise.all(ids.map((id) => engine.executions.read(id)))
  const running = records.filter((record) => record?.status === 'running')
  return await Promise.all(running.flatMap((record) => (record === undefined ? [] : [describe(record)])))

  async function describe(record: ExecutionRecord) {
    const expected = expectationOf(record, await estimate(record), now)
    const { overall_percentage, current_step } = describeProgress(record, expected, now)
    const { remainingMs } = expected
    return {
      id: record.id,
      workflow_id: record.flowId,
      started_at: epochSeconds(record.startedAt ?? record.createdAt),
      progress: overall_percentage,
      current_step,
      estimated_completion: remainingMs === null ? null : epochSeconds(new Date(now.getTime() + remainingMs)),
    }
  }
}
