import { quantileMs, type StepSums } from '#engine'
import { type Factor, likelyRate, rateBounds, type Tries } from '#runs'
import type { RiskTolerance } from './wishes.ts'

/** What runs of an agent have shown. Money in micro-dollars, times in milliseconds; null: nothing is known. */
export interface AgentRecord extends Tries {
  readonly medianMs: number | null
  /** Of the completed runs. */
  readonly averageMicroDollars: number | null
  /** From 0 to 100, of texts that were measured. */
  readonly quality: { readonly mean: number; readonly samples: number } | null
  /** What a run read and wrote on average, models that are built in not counted. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

export function recordOf(sums: StepSums | undefined): AgentRecord {
  const { completed = 0, failed = 0 } = sums ?? {}
  const runs = completed + failed
  return {
    completed,
    failed,
    medianMs: sums === undefined ? null : quantileMs(sums.took, 0.5),
    averageMicroDollars: sums === undefined || completed === 0 ? null : sums.completed_spent / completed,
    quality:
      sums === undefined || sums.quality_count === 0
        ? null
        : { mean: sums.quality_sum / sums.quality_count, samples: sums.quality_count },
    tokens:
      sums === undefined || runs === 0
        ? null
        : { input: sums.input_tokens / runs, output: sums.output_tokens / runs },
  }
}

/** How well runs went: what is reached at least, likely or at best, by how much may be risked. */
export function successFactor(record: AgentRecord, risk: RiskTolerance): Omit<Factor, 'weight'> {
  const runs = record.completed + record.failed
  if (runs === 0) return { name: 'success', ...untried[risk] }
  const bounds = rateBounds(record)
  const score = { low: bounds?.low ?? null, medium: likelyRate(record), high: bounds?.high ?? null }[risk]
  return { name: 'success', score, evidence: `${record.completed} of ${runs} runs succeeded.` }
}

/** Whoever risks nothing takes nobody who was never tried; whoever risks much gives everybody a chance. */
const untried: Readonly<Record<RiskTolerance, Pick<Factor, 'score' | 'evidence'>>> = {
  low: { score: 0, evidence: 'It has not been run yet, and nothing is to be risked.' },
  medium: { score: null, evidence: 'It has not been run yet.' },
  high: { score: 1, evidence: 'It has not been run yet, and much may be risked.' },
}
