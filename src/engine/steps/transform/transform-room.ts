import type { Source } from '../data-transform.ts'
import { StepFailure } from '../step-failure.ts'

/** What transformations may work on and make: each can take what the one before made many times, and fifty follow each other. */
interface TransformRoom {
  requireSources(sources: readonly Source[]): void
  requireOutput(output: unknown): void
}

const mostBytesOfSources = 64 * 1024 * 1024
/** The same as a step may make. */
const mostBytesOfOutput = 8 * 1024 * 1024

export function createTransformRoom(): TransformRoom {
  /** The same value is often the source of several: it is measured once. */
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
      if (bytes > mostBytesOfSources) throw tooLarge('sources of a transformation', bytes, mostBytesOfSources)
    },
    requireOutput(output) {
      const bytes = sizeOf(output)
      if (bytes > mostBytesOfOutput) throw tooLarge('output of a transformation', bytes, mostBytesOfOutput)
    },
  }
}

function tooLarge(what: string, bytes: number, limit: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The ${what} would take ${megabytes(bytes)}; ${megabytes(limit)} are allowed.`,
    details: { bytes, limit_bytes: limit },
  })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
