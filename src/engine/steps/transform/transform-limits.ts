import { megabytes } from '../../execution/memory-budget.ts'
import type { Source } from '../data-transform.ts'
import { StepFailure } from '../step-failure.ts'

/** Limits of a transform step: fifty transformations in a row, each using the previous output several times, grow exponentially. */
interface TransformLimits {
  requireSources(sources: readonly Source[]): void
  requireOutput(output: unknown): void
}

const maxBytesOfSources = 64 * 1024 * 1024
/** The same as the limit of a step's output. */
const maxBytesOfOutput = 8 * 1024 * 1024

export function createTransformLimits(): TransformLimits {
  /** The same value is often a source of several transformations: its size is computed once. */
  const known = new Map<object, number>()

  function sizeOf(value: unknown): number {
    if (typeof value === 'string') return Buffer.byteLength(value)
    if (typeof value !== 'object' || value === null) return 8
    const size = known.get(value) ?? Buffer.byteLength(JSON.stringify(value))
    known.set(value, size)
    return size
  }

  return {
    requireSources(sources) {
      const bytes = sources.reduce((sum, { value }) => sum + sizeOf(value), 0)
      if (bytes > maxBytesOfSources) throw tooLarge('sources of a transformation', bytes, maxBytesOfSources)
    },
    requireOutput(output) {
      const bytes = sizeOf(output)
      if (bytes > maxBytesOfOutput) throw tooLarge('output of a transformation', bytes, maxBytesOfOutput)
    },
  }
}

function tooLarge(what: string, bytes: number, limit: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The ${what} would take ${megabytes(bytes)}; the limit is ${megabytes(limit)}.`,
    details: { bytes, limit_bytes: limit },
  })
}
