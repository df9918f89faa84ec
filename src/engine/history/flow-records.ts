import { quantileMs } from './duration-buckets.ts'
import { startOf, unitMs } from './period.ts'
import { type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, stepRollUp } from './roll-up.ts'

/** How a flow has done in the last weeks. */
export interface FlowRecord {
  readonly executions: number
  readonly completed: number
  readonly failed: number
  /** Of those that completed or failed, 0 to 1; null when there are none. */
  readonly successRate: number | null
  /** Of the completed ones; null when there are none. */
  readonly medianMs: number | null
  readonly p95Ms: number | null
  /** Of the completed ones; null when there are none, or when nobody knows the price of the models. */
  readonly averageMicroDollars: number | null
  /** 0 to 100, of the texts that were judged; null when none was. */
  readonly quality: number | null
  /** 0 to 1, of the answers that had one; null when none had. */
  readonly confidence: number | null
}

/** What history is remembered for when something is to be estimated. */
const daysOfHistory = 30

export function recentDays(now: Date) {
  const from = startOf('day', new Date(now.getTime() - daysOfHistory * unitMs.day))
  return [{ grain: 'day', from, to: undefined }] as const
}

/** Of every flow that ran, by its id. */
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
