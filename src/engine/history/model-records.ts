import { recentDays } from './flow-records.ts'
import { type RunQuery, readSome } from './read-sums.ts'
import { modelRollUp } from './roll-up.ts'

/** How a model has done in the last weeks, in all flows. */
export interface ModelRecord {
  readonly provider: string
  readonly model: string
  /** 0 to 100, of the texts that were judged; null when none was. */
  readonly quality: number | null
  /** How long an answer took on average; null without any. */
  readonly averageMs: number | null
}

/** Of every model that was asked. */
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
