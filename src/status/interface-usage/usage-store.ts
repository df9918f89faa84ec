import { randomUUIDv7 } from 'node:crypto'
import { createBatchWriter, type Database } from '#kernel/database'
import { type Executor, type RecurringTask, runStatement } from '#kernel/work'
import type { Submission } from './submission.ts'

interface UsageBounds {
  /** Distinct combinations per day that are counted by name. */
  readonly combinationsPerDay: number
  /** Submissions per day that are stored unaggregated. */
  readonly keptPerDay: number
}

const usageBounds: UsageBounds = { combinationsPerDay: 2000, keptPerDay: 2000 }

/** Replaces a name beyond the limit. */
const other = 'other'
/** For fields that were not sent. */
const unknown = 'unknown'

/** Locks the row of a day until the commit, so that the limits hold exactly. */
const lockDay = `
  insert into status_usage_days as known (day) values ($1)
  on conflict (day) do update set events = known.events
  returning combinations, kept
`

const updateDay = `
  update status_usage_days set events = events + $2, combinations = $3, kept = $4 where day = $1
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

/** Stores a submission and returns its id. */
export type RecordUsage = (submission: Submission) => Promise<string>

/** A locked row of a day, with the pending changes. */
interface LockedDay {
  events: number
  combinations: number
  kept: number
}

/**
 * Counts by day, event, component, theme, version and browser. The number of rows per day is bounded: beyond the limit a new combination counts
 * for its event alone, and a new event as `other`. Unaggregated submissions are bounded by the day of arrival, so that timestamps spread over
 * many days cannot exceed the limit.
 */
export function createRecordUsage(database: Database, bounds: UsageBounds = usageBounds): RecordUsage {
  // All writers of a day wait for one row, so a process writes in batches.
  const writer = createBatchWriter({
    maxItems: 200,
    flush: (submissions: readonly Submission[]) =>
      database.transaction(async (transaction) => {
        const days = await lockDays(transaction, submissions)
        const dayAt = (day: string) => days.get(day) ?? { events: 0, combinations: 0, kept: 0 }
        const ids: string[] = []
        for (const submission of submissions) {
          const day = countingDayOf(submission)
          await count(transaction, {
            day,
            lockedDay: dayAt(day),
            combination: combinationOf(submission),
            bounds,
          })
          ids.push(await keepSubmission(transaction, submission, dayAt(dayOf(submission.receivedAt)), bounds))
        }
        for (const [day, { events, combinations, kept }] of days) {
          await runStatement(transaction, updateDay, [day, events, combinations, kept])
        }
        return ids
      }),
  })
  return (submission) => writer.write(submission)
}

/** Locks the rows in the order of their days, so that two replicas cannot deadlock. */
async function lockDays(
  executor: Executor,
  submissions: readonly Submission[],
): Promise<ReadonlyMap<string, LockedDay>> {
  const days = new Map<string, LockedDay>()
  const wanted = new Set(submissions.flatMap((it) => [countingDayOf(it), dayOf(it.receivedAt)]))
  for (const day of [...wanted].toSorted()) {
    const [lockedDay] = await runStatement<{ combinations: number; kept: number }>(executor, lockDay, [day])
    days.set(day, { events: 0, combinations: lockedDay?.combinations ?? 0, kept: lockedDay?.kept ?? 0 })
  }
  return days
}

/** The day of the event in UTC if it is within the retention; otherwise the day of arrival. */
function countingDayOf({ occurredAt, receivedAt }: Submission): string {
  const oldest = dayOf(new Date(receivedAt.getTime() - keptDays * 86_400_000))
  const [event, arrival] = [dayOf(occurredAt), dayOf(receivedAt)]
  return event >= oldest && event <= arrival ? event : arrival
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

function combinationOf({ event, component, theme, version, browser }: Submission): Combination {
  return { event, component, theme: theme ?? unknown, version: version ?? unknown, browser }
}

async function keepSubmission(
  executor: Executor,
  submission: Submission,
  arrival: LockedDay,
  bounds: UsageBounds,
): Promise<string> {
  const id = randomUUIDv7()
  if (arrival.kept >= bounds.keptPerDay) return id
  arrival.kept += 1
  const { occurredAt, event, component, theme, version, browser, userAgent, more } = submission
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
  return id
}

interface CountOptions {
  readonly day: string
  readonly lockedDay: LockedDay
  readonly combination: Combination
  readonly bounds: UsageBounds
}

async function count(
  executor: Executor,
  { day, lockedDay, combination, bounds }: CountOptions,
): Promise<void> {
  const valuesOf = (it: Combination) => [day, ...columns.map((column) => it[column])]
  lockedDay.events += 1
  const known = await runStatement(executor, countKnown, valuesOf(combination))
  if (known.length > 0) return
  if (lockedDay.combinations < bounds.combinationsPerDay) {
    lockedDay.combinations += 1
    await runStatement(executor, countNew, valuesOf(combination))
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

const chunkSize = 1000

/** Retention of counts in days. */
const keptDays = 400

const pruneRecent = `
  delete from status_usage_recent where id in (
    select id from status_usage_recent
    where received_at < now() - interval '7 days'
    order by received_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** The counts of a day are deleted by cascade. */
const pruneDays = `
  delete from status_usage_days where day in (
    select day from status_usage_days where day < current_date - ${keptDays} order by day limit 10 for update skip locked
  )
  returning 1
`

/** Deletes submissions after a week and counts after 400 days. */
export function createUsagePruneTask(database: Pick<Database, 'query'>): RecurringTask {
  return {
    name: 'status.interface_usage.prune',
    everyMs: 3_600_000,
    async run(signal) {
      do signal.throwIfAborted()
      while ((await database.query(pruneRecent)).length === chunkSize)
      do signal.throwIfAborted()
      while ((await database.query(pruneDays)).length > 0)
    },
  }
}
