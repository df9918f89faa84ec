import { randomUUIDv7 } from 'node:crypto'
import { createBatchWriter, type Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { Submission } from './submission.ts'

interface UsageBounds {
  /** Different combinations of a day that are counted by name. */
  readonly combinationsPerDay: number
  /** Submissions of a day that are kept as they came. */
  readonly keptPerDay: number
}

const usageBounds: UsageBounds = { combinationsPerDay: 2000, keptPerDay: 2000 }

/** What a name is replaced by when there were too many. */
const other = 'other'
/** Where the interface said nothing. */
const unknown = 'unknown'

const holdDay = `
  insert into status_usage_days as known (day, events) values ($1, 1)
  on conflict (day) do update set events = known.events + 1
  returning combinations, kept
`

const columns = ['event', 'component', 'theme', 'version', 'browser'] as const
type Combination = Readonly<Record<(typeof columns)[number], string>>

const countKnown = `
  update status_usage set count = count + 1
  where day = $1 and event = $2 and component = $3 and theme = $4 and version = $5 and browser = $6
  returning count
`

const countNew = `
  insert into status_usage as known (day, event, component, theme, version, browser, count)
  values ($1, $2, $3, $4, $5, $6, 1)
  on conflict (day, event, component, theme, version, browser) do update set count = known.count + 1
`

const keep = `
  insert into status_usage_recent (id, occurred_at, event, component, theme, version, browser, user_agent, more)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
`

/** Stores submissions, and answers the id of each. */
export type RecordUsage = (submission: Submission) => Promise<string>

/**
 * Counts by day, event, component, theme, version and browser. How much a day can hold is bounded, whoever sends what: a combination that comes
 * when there are too many counts for its event alone, and for an event that is new, too, as `other`.
 */
export function createRecordUsage(database: Database, bounds: UsageBounds = usageBounds): RecordUsage {
  // One day is one row that writers wait for, so those of a process go together.
  const writer = createBatchWriter({
    maxItems: 200,
    flush: (submissions: readonly Submission[]) =>
      database.transaction(async (transaction) => {
        const ids = new Map<Submission, string>()
        // Days in one order, so that two replicas never wait for each other.
        const ordered = submissions.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())
        for (const submission of ordered) ids.set(submission, await record(transaction, submission, bounds))
        return submissions.map((submission) => ids.get(submission) ?? '')
      }),
  })
  return (submission) => writer.write(submission)
}

async function record(executor: Executor, submission: Submission, bounds: UsageBounds): Promise<string> {
  const id = randomUUIDv7()
  const { occurredAt, event, component, theme, version, browser, userAgent, more } = submission
  const day = occurredAt.toISOString().slice(0, 10)
  const [held] = await runStatement<{ combinations: number; kept: number }>(executor, holdDay, [day])
  const { combinations = 0, kept = 0 } = held ?? {}
  const named = { event, component, theme: theme ?? unknown, version: version ?? unknown, browser }
  await count(executor, day, named, combinations < bounds.combinationsPerDay)
  if (kept < bounds.keptPerDay) {
    await runStatement(executor, keep, [
      id,
      occurredAt,
      event,
      component,
      theme,
      version,
      browser,
      userAgent,
      JSON.stringify(more),
    ])
    await runStatement(executor, 'update status_usage_days set kept = kept + 1 where day = $1', [day])
  }
  return id
}

async function count(
  executor: Executor,
  day: string,
  combination: Combination,
  hasRoom: boolean,
): Promise<void> {
  const valuesOf = (it: Combination) => [day, ...columns.map((column) => it[column])]
  const known = await runStatement(executor, countKnown, valuesOf(combination))
  if (known.length > 0) return
  if (hasRoom) {
    await runStatement(executor, countNew, valuesOf(combination))
    await runStatement(
      executor,
      'update status_usage_days set combinations = combinations + 1 where day = $1',
      [day],
    )
    return
  }
  const isKnownEvent = await runStatement(
    executor,
    'select from status_usage where day = $1 and event = $2 limit 1',
    [day, combination.event],
  )
  const rest = { component: other, theme: other, version: other, browser: other }
  const event = isKnownEvent.length > 0 ? combination.event : other
  await runStatement(executor, countNew, valuesOf({ event, ...rest }))
}
