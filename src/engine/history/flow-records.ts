import { quantileMs } from './duration-buckets.ts'
import { startOf, unitMs } from './period.ts'
import { type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, stepRollUp } from './roll-up.ts'

/** The statistics of a flow in the last weeks. */
export interface FlowRecord {
  readonly executions: number
  readonly completed: number
  readonly failed: number
  /** Completed executions as a share of completed and failed ones; null without any. */
  readonly successRate: number | null
  /** Average of completed executions; null without any. */
  readonly medianMs: number | null
  readonly p95Ms: number | null
  /** Average of completed executions; null without any, or when a model has no price. */
  readonly averageMicroDollars: number | null
  /** 0 to 100, the average of scored texts; null without any. */
  readonly quality: number | null
  /** 0 to 1, the average of responses with a confidence; null without any. */
  readonly confidence: number | null
}

/** The days of history that estimates are based on. */
const daysOfHistory = 30

export function recentDays(now: Date) {
  const from = startOf('day', new Date(now.getTime() - daysOfHistory * unitMs.day))
  return [{ grain: 'day', from, to: undefined }] as const
}

/** Reads the records of every flow that ran, by id. */
export async function readFlowRecords(run: RunQuery, now: Date): Promise<ReadonlyMap<string, FlowRecord>> {
  const each = { segments: recentDays(now), flows: 'each', groupBy: ['flow_id'] } as const
  const [flows, steps] = await Promise.all([
    readSums(run, flowRollUp, each),
    readSome(run, stepRollUp, {
      ...each,
      sums: ['quality_sum', 'quality_count', 'confidence_sum', 'confidence_count'],
    }),
  ])
  const stepsOf = new Map(steps.map((sums) => [sums.flow_id, sums]))
  return new Map(
    flows
      .filter(({ executions }) => executions > 0)
      .map(({ flow_id, executions, completed, failed, took, ...sums }) => {
        const made = stepsOf.get(flow_id)
        const record: FlowRecord = {
          executions,
          completed,
          failed,
          successRate: ratio(completed, completed + failed),
          medianMs: quantileMs(took, 0.5),
          p95Ms: quantileMs(took, 0.95),
          averageMicroDollars: sums.unpriced >= executions ? null : ratio(sums.completed_spent, completed),
          quality: ratio(made?.quality_sum ?? 0, made?.quality_count ?? 0),
          confidence: ratio(made?.confidence_sum ?? 0, made?.confidence_count ?? 0),
        }
        return [flow_id, record]
      }),
  )
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null
}
