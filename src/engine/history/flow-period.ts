import type { Database } from '#kernel/database'
import { addUp, fillBuckets, type OverviewPeriod, type OverviewTimeframe, overviewPeriod } from './buckets.ts'
import { type Durations, quantileMs } from './duration-buckets.ts'
import { readAtOneMoment } from './one-moment.ts'
import { coverPeriod } from './period.ts'
import { type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp } from './roll-up.ts'

export interface FlowPeriodQuestion {
  readonly flowId: string
  readonly timeframe: OverviewTimeframe
  /** Undefined: the executions of all accounts. */
  readonly accountId: string | undefined
}

const ends = ['executions', 'completed', 'failed', 'cancelled'] as const

/** Reads the executions of a flow that ended in a period, by time, in one snapshot. */
export function readFlowPeriod(database: Database, question: FlowPeriodQuestion, now: Date) {
  const { flowId, timeframe, accountId } = question
  const period = overviewPeriod(timeframe, now)
  return readAtOneMoment(database, async (run) => {
    const rows =
      accountId === undefined
        ? await readSome(run, flowRollUp, {
            segments: [{ grain: period.grain, from: period.from, to: undefined }],
            flows: [flowId],
            groupBy: ['at'],
            sums: ends,
          })
        : await readOwnEnds(run, { flowId, accountId, period })
    return {
      period,
      buckets: fillBuckets(rows, ends, period),
      total: addUp(rows, ends),
      /** Roll-ups have the durations of all accounts together only. */
      rates: accountId === undefined ? await readRates(run, { flowId, period, now }) : null,
    }
  })
}

async function readOwnEnds(
  run: RunQuery,
  { flowId, accountId, period }: { flowId: string; accountId: string; period: OverviewPeriod },
) {
  const rows = await run<{ at: Date; executions: number; completed: number; failed: number }>(
    `
      select at, executions, completed, failed
      from engine_history_accounts
      where flow_id = $1 and account_id = $2 and grain = $3 and at >= $4
    `,
    [flowId, accountId, period.grain, period.from],
  )
  return rows.map((row) => ({ ...row, cancelled: row.executions - row.completed - row.failed }))
}

async function readRates(
  run: RunQuery,
  { flowId, period, now }: { flowId: string; period: OverviewPeriod; now: Date },
) {
  const segments = coverPeriod({ from: period.from, to: undefined }, now)
  const [sums] = await readSums(run, flowRollUp, { segments, flows: [flowId], groupBy: [] })
  return sums === undefined ? null : rateFlow(sums)
}

interface RatedSums {
  readonly executions: number
  readonly completed: number
  readonly failed: number
  readonly unpriced: number
  readonly completed_spent: number
  readonly took: Durations
}

/** Success rate, durations and cost from the sums of a flow; null without executions to derive them from. */
export function rateFlow({
  executions,
  completed,
  failed,
  unpriced,
  completed_spent: spent,
  took,
}: RatedSums) {
  return {
    /** Completed executions as a share of completed and failed ones. */
    successRate: ratio(completed, completed + failed),
    /** Of completed executions. */
    medianMs: quantileMs(took, 0.5),
    p95Ms: quantileMs(took, 0.95),
    /** The average of completed executions; null when a model has no price. */
    averageMicroDollars: unpriced >= executions ? null : ratio(spent, completed),
  }
}

/** A part as a share of the whole; null without a whole. */
export function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null
}
