import { recentDays } from './flow-records.ts'
import { type RunQuery, readSome } from './read-sums.ts'
import { modelRollUp } from './roll-up.ts'

/** The statistics of a model in the last weeks, over all flows. */
export interface ModelRecord {
  readonly provider: string
  readonly model: string
  /** 0 to 100, the average of scored texts; null without any. */
  readonly quality: number | null
  /** Average response time; null without any. */
  readonly averageMs: number | null
}

/** Reads the records of every model that was used. */
export async function readModelRecords(run: RunQuery, now: Date): Promise<readonly ModelRecord[]> {
  const rows = await readSome(run, modelRollUp, {
    segments: recentDays(now),
    flows: 'all',
    groupBy: ['provider', 'model'],
    sums: ['quality_sum', 'quality_count', 'ai_ms', 'ai_calls'],
  })
  return rows.map(({ provider, model, ...sums }) => ({
    provider,
    model,
    quality: sums.quality_count > 0 ? sums.quality_sum / sums.quality_count : null,
    averageMs: sums.ai_calls > 0 ? sums.ai_ms / sums.ai_calls : null,
  }))
}
