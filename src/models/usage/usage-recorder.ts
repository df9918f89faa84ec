import { createBatchWriter, type Database, retryWhenUnavailable } from '#kernel/database'
import type { Settlement } from '../budgets/purse.ts'
import type { CallRecord } from './call-record.ts'
import { recordCalls, takeBackLost } from './record-calls.ts'

/** What is committed together: a call, the end of a reservation, or both. */
interface UsageEntry {
  readonly call?: CallRecord | undefined
  readonly settlement?: Settlement | undefined
}

/** Writes down what calls took. */
export interface UsageRecorder extends AsyncDisposable {
  /** Resolves when it is committed. Rejects when the database stays away; money that was set aside is then counted in full later. */
  record(entry: UsageEntry): Promise<void>
}

const longestAwayMs = 20_000

/** All calls that end at about the same time share a statement and a commit. */
export function createUsageRecorder({ database }: { readonly database: Database }): UsageRecorder {
  const writer = createBatchWriter<UsageEntry, void>({ flush })

  async function flush(entries: readonly UsageEntry[]): Promise<readonly void[]> {
    const calls = entries.flatMap(({ call }) => call ?? [])
    const settlements = entries.flatMap(({ settlement }) => settlement ?? [])
    const settled = await patiently(() => recordCalls(database, { calls, settlements }))
    const missing = settlements.filter(({ reservationId }) => !settled.has(reservationId))
    if (missing.length > 0) {
      const found = await patiently(() => takeBackLost(database, missing))
      const late = calls.filter(({ id }) => found.has(id))
      if (late.length > 0) await patiently(() => recordCalls(database, { calls: late, settlements: [] }))
    }
    return entries.map(() => undefined)
  }

  return {
    record: (entry) => writer.write(entry),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  return retryWhenUnavailable(work, { deadlineMs: longestAwayMs })
}
