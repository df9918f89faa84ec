import { StepFailure } from '../steps/step-failure.ts'

/** Limits how many bytes an execution holds. All items of a batch share it. */
export interface MemoryBudget {
  /** Throws MEMORY_LIMIT_EXCEEDED when fewer bytes are left. */
  reserve(bytes: number, what: string): void
  release(bytes: number): void
  peakBytes(): number
}

export function createMemoryBudget(limitBytes: number): MemoryBudget {
  let reserved = 0
  let peak = 0
  return {
    reserve(bytes, what) {
      if (reserved + bytes > limitBytes) {
        throw new StepFailure({
          code: 'MEMORY_LIMIT_EXCEEDED',
          message: `With ${what} the execution holds ${megabytes(reserved + bytes)}; its limit is ${megabytes(limitBytes)}. Raise max_memory, or return less.`,
          details: { bytes, limit_bytes: limitBytes },
        })
      }
      reserved += bytes
      peak = Math.max(peak, reserved)
    },
    release(bytes) {
      reserved -= bytes
    },
    peakBytes: () => peak,
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
