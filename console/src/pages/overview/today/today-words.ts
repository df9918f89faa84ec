import type { Tone } from '../../../parts/Status.tsx'
import { describeDuration } from '../../../time/describe-time.ts'

/** The share of a limit from which on a warning is shown. */
const nearShare = 0.8

/** Describes a usage close to its limit; undefined below the warning threshold. */
export function describeNearness(used: number, limit: number): { tone: Tone; word: string } | undefined {
  if (limit > 0 && used >= limit) return { tone: 'bad', word: 'limit reached' }
  if (limit > 0 && used >= limit * nearShare) return { tone: 'warn', word: 'near limit' }
  return undefined
}

/** The expected wait of an execution that is queued now. */
export function describeWait(estimatedSeconds: number | null | undefined, queued: number): string {
  if (queued === 0) return '0 queued'
  if (estimatedSeconds === null || estimatedSeconds === undefined) return 'wait unknown'
  return estimatedSeconds < 1 ? '< 1 s wait' : `about ${describeDuration(estimatedSeconds)} wait`
}

/** Formats a number with its noun in singular or plural. */
export function describeCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
