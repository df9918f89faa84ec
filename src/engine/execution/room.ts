import { StepFailure } from '../steps/step-failure.ts'

/** How much an execution holds: all items of a batch share it. */
export interface Room {
  /** Takes room for something. Throws when there is none. */
  take(bytes: number, what: string): void
  give(bytes: number): void
  /** The most that was ever taken. */
  mostBytes(): number
}

export function createRoom(limitBytes: number): Room {
  let taken = 0
  let most = 0
  return {
    take(bytes, what) {
      if (taken + bytes > limitBytes) {
        throw new StepFailure({
          code: 'MEMORY_LIMIT_EXCEEDED',
          message: `With ${what} the execution holds ${megabytes(taken + bytes)}; it may hold ${megabytes(limitBytes)}.`,
          details: { bytes, limit_bytes: limitBytes },
        })
      }
      taken += bytes
      most = Math.max(most, taken)
    },
    give(bytes) {
      taken -= bytes
    },
    mostBytes: () => most,
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
