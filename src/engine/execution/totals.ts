import { StepFailure } from '../steps/step-failure.ts'
import { megabytes } from './rules.ts'

/** What one execution may have over all its leases. */
export interface TotalLimits {
  /** Items, iterations, and calls of sub-flows and agents: scopes that have ended or are open. */
  readonly items: number
  readonly waits: number
  /** Bytes of outcomes and events. */
  readonly bytes: number
}

const totalLimits: TotalLimits = { items: 50_000, waits: 10_000, bytes: 512 * 1024 * 1024 }

/** What an execution has had so far. */
export interface StoredTotals {
  /** Scopes that have ended: a worker that resumes the execution opens the open ones again. */
  readonly items: number
  readonly waits: number
  readonly bytes: number
}

/**
 * Counts what an execution has had so far. The row of an execution is small and often not updated by a commit, so the totals are
 * stored only now and then:
 *
 * | a commit                                                      | stores the totals |
 * |---------------------------------------------------------------|-------------------|
 * | suspends or ends the execution                                | yes               |
 * | follows growth of more than 1 % of a limit since the last one | yes               |
 * | any other                                                     | no                |
 *
 * So a crash loses at most 1 % of each limit.
 */
export interface Totals {
  /** Throws when the execution cannot have so many more items. `path` names their container. */
  requireItems(more: number, path: string): void
  scopeOpened(): void
  scopeEnded(): void
  /** Counts a wait that a step opens. Throws when it is one too many. */
  addWait(): void
  /** Counts the bytes of a commit. Returns the failure that ends the execution. */
  addBytes(bytes: number): StepFailure | undefined
  /** The totals that the next commit stores; undefined: none. */
  takeGrown(): StoredTotals | undefined
  /** The totals that a commit stores which suspends or ends the execution; undefined: none. */
  takeLast(): StoredTotals | undefined
}

interface TotalsOptions {
  readonly stored: StoredTotals | null
  readonly limits?: TotalLimits | undefined
  /** Whether it has containers or a batch. The totals of other executions are stored only once they wait: their flow bounds them. */
  readonly isRepeating: boolean
}

const storedShare = 0.01

export function createTotals({ stored, limits = totalLimits, isRepeating }: TotalsOptions): Totals {
  const counts = { items: 0, waits: 0, bytes: 0, ...stored }
  let lastStored = { ...counts }
  let open = 0

  function take(): StoredTotals | undefined {
    if (!isRepeating && counts.waits === 0) return undefined
    lastStored = { ...counts }
    return lastStored
  }

  return {
    requireItems(more, path) {
      const items = counts.items + open + more
      if (items > limits.items) throw tooManyItems(path, items, limits.items)
    },
    scopeOpened() {
      open += 1
    },
    scopeEnded() {
      open -= 1
      counts.items += 1
    },
    addWait() {
      if (counts.waits >= limits.waits) throw tooManyWaits(limits.waits)
      counts.waits += 1
    },
    addBytes(bytes) {
      counts.bytes += bytes
      return counts.bytes > limits.bytes ? tooManyBytes(counts.bytes, limits.bytes) : undefined
    },
    takeGrown() {
      const hasGrown = (['items', 'waits', 'bytes'] as const).some(
        (name) => counts[name] - lastStored[name] > limits[name] * storedShare,
      )
      return hasGrown ? take() : undefined
    },
    takeLast: take,
  }
}

function tooManyItems(path: string, items: number, limit: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `With those of "${path}" the execution would have ${count(items)} items, iterations and sub-flows; its limit is ${count(limit)}. Split the list over several executions.`,
    details: { items, limit_items: limit },
  })
}

function tooManyWaits(limit: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The execution has waited ${count(limit)} times, which is its limit. Split its items over several executions, or wait less often.`,
    details: { waits: limit + 1, limit_waits: limit },
  })
}

function tooManyBytes(bytes: number, limit: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The execution has stored ${megabytes(bytes)} of outputs and events; its limit is ${megabytes(limit)}. Return less from its steps, or split its items over several executions.`,
    details: { stored_bytes: bytes, limit_bytes: limit },
  })
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
