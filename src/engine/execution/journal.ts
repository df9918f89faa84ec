import type { ExecutionEvent } from '../store/commit.ts'

/** Numbers the events of an execution and buffers them until the next commit. */
export interface Journal {
  add(type: string, data: Readonly<Record<string, unknown>>): void
  /** Removes and returns the buffered events. */
  take(): readonly ExecutionEvent[]
}

export function createJournal({
  lastSeq,
  now,
}: {
  readonly lastSeq: number
  readonly now: () => Date
}): Journal {
  let seq = lastSeq
  let buffered: ExecutionEvent[] = []
  return {
    add(type, data) {
      seq += 1
      buffered.push({ seq, at: now(), type, data })
    },
    take() {
      const taken = buffered
      buffered = []
      return taken
    },
  }
}
