import type { Tone } from '../../../parts/Status.tsx'
import { describeDuration } from '../../../time/describe-time.ts'

/** From this share of a limit on it is worth a warning. */
const nearShare = 0.8

/** How close something is to its limit; undefined while it is far. */
export function describeNearness(used: number, limit: number): { tone: Tone; word: string } | undefined {
  if (limit > 0 && used >= limit) return { tone: 'bad', word: 'limit reached' }
  if (limit > 0 && used >= limit * nearShare) return { tone: 'warn', word: 'near limit' }
  return undefined
}

/** How long one that is added now would wait. */
export function describeWait(estimatedSeconds: number | null | undefined, queued: number): string {
  if (queued === 0) return '0 queued'
  if (estimatedSeconds === null || estimatedSeconds === undefined) return 'wait unknown'
  return estimatedSeconds < 1 ? '< 1 s wait' : `about ${describeDuration(estimatedSeconds)} wait`
}

/** A number with its noun. */
export function describeCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
