import type { Engine, HistoryResult } from '#engine'
import { managesAll, requireAccount, units } from '#executions-api'
import type { Principal } from '#kernel/http'

type Records = HistoryResult<'records'>
type FlowRecord = Records extends ReadonlyMap<string, infer Record> ? Record : never
type LatestRun = Awaited<ReturnType<Engine['executions']['latestOf']>>[number]

/** The newest executions that the statistics of one account are based on. */
const maxOwnRuns = 50

/** The statistics of all flows are read once for all callers of this time. */
const keepMs = 10_000

/** Reads the statistics of flows for a caller. */
export type ReadFlowStats = (
  flowIds: readonly string[],
  principal: Principal,
) => Promise<(flowId: string) => ReturnType<typeof describeRecord> | ReturnType<typeof describeRuns>>

/**
 * Accounts that may see the executions or the statistics of all accounts get those of the last 30 days; other accounts get those of
 * their own newest executions.
 */
export function createFlowStats({
  history,
  executions,
}: {
  readonly history: Pick<Engine['history'], 'records'>
  readonly executions: Pick<Engine['executions'], 'latestOf'>
}): ReadFlowStats {
  let kept: { readonly records: Promise<Records>; readonly until: number } | undefined

  function readRecords(): Promise<Records> {
    const now = performance.now()
    if (kept !== undefined && kept.until > now) return kept.records
    const records = history.records()
    kept = { records, until: now + keepMs }
    // A failure is not kept.
    records.catch(() => {
      kept = undefined
    })
    return records
  }

  return async (flowIds, principal) => {
    if (seesAllStats(principal)) {
      const records = await readRecords()
      return (flowId) => describeRecord(records.get(flowId))
    }
    const runs = await executions.latestOf(flowIds, {
      accountId: requireAccount(principal),
      count: maxOwnRuns,
    })
    const byFlow = Map.groupBy(runs, ({ flowId }) => flowId)
    return (flowId) => describeRuns(byFlow.get(flowId) ?? [])
  }
}

export function seesAllStats(principal: Principal): boolean {
  return managesAll(principal) || principal.permissions.has('view workflow analytics')
}

function describeRecord(record: FlowRecord | undefined) {
  return {
    of: 'all' as const,
    executions: record?.executions ?? 0,
    success_rate: percent(record?.successRate ?? null),
    median_duration: units.seconds(record?.medianMs ?? null),
    p95_duration: units.seconds(record?.p95Ms ?? null),
    average_cost: units.dollars(record?.averageMicroDollars ?? null),
  }
}

/** The statistics of a few executions. */
export function describeRuns(runs: readonly Pick<LatestRun, 'status' | 'durationMs' | 'spent'>[]) {
  const completed = runs.filter(({ status }) => status === 'completed')
  const failed = runs.filter(({ status }) => status === 'failed')
  const durations = completed.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b)
  const ended = completed.length + failed.length
  const spent = completed.reduce((sum, run) => sum + run.spent, 0)
  return {
    of: 'own' as const,
    executions: runs.length,
    success_rate: percent(ended === 0 ? null : completed.length / ended),
    median_duration: units.seconds(quantile(durations, 0.5)),
    p95_duration: units.seconds(quantile(durations, 0.95)),
    average_cost: units.dollars(completed.length === 0 ? null : spent / completed.length),
  }
}

/** The value of a sorted list that a share of the others does not exceed; null without values. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

function percent(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1000) / 10
}
