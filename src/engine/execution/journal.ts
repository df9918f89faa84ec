import type { ExecutionEvent } from '../store/commit.ts'

/** What happens in an execution, numbered as it happens, until it is taken along by a commit. */
export interface Journal {
  add(type: string, data: Readonly<Record<string, unknown>>): void
  /** Everything since the last time. */
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
  let waiting: ExecutionEvent[] = []
  return {
    add(type, data) {
      seq += 1
      waiting.push({ seq, at: now(), type, data })
    },
    take() {
      const taken = waiting
      waiting = []
      return taken
    },
  }
}
