import { randomUUIDv7 } from 'node:crypto'
import { createBatchWriter, type Database } from '#kernel/database'
import { type Executor, type RecurringTask, runStatement } from '#kernel/work'
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

/** Locks the row of a day until the commit: the bounds below are kept exactly. */
const holdDay = `
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

/** Stores submissions, and answers the id of each. */
export type RecordUsage = (submission: Submission) => Promise<string>

/** A day whose row this transaction holds, with what is added to it. */
interface HeldDay {
  events: number
  combinations: number
  kept: number
}

/**
 * Counts by day, event, component, theme, version and browser. How much a day can hold is bounded, whoever sends what: a combination that comes
 * when there are too many counts for its event alone, and for an event that is new, too, as `other`. Submissions that are kept as they came are
 * bounded by the day of their arrival, so that timestamps of many days make no more of them.
 */
export function createRecordUsage(database: Database, bounds: UsageBounds = usageBounds): RecordUsage {
  // One day is one row that writers wait for, so those of a process go together.
  const writer = createBatchWriter({
    maxItems: 200,
    flush: (submissions: readonly Submission[]) =>
      database.transaction(async (transaction) => {
        const days = await holdDays(transaction, submissions)
        const dayAt = (day: string) => days.get(day) ?? { events: 0, combinations: 0, kept: 0 }
        const ids: string[] = []
        for (const submission of submissions) {
          const day = countedOn(submission)
          await count(transaction, { day, held: dayAt(day), combination: combinationOf(submission), bounds })
          ids.push(await keepAsItCame(transaction, submission, dayAt(dayOf(submission.receivedAt)), bounds))
        }
        for (const [day, { events, combinations, kept }] of days) {
          await runStatement(transaction, updateDay, [day, events, combinations, kept])
        }
        return ids
      }),
  })
  return (submission) => writer.write(submission)
}

/** Holds the rows in the order of their days, so that two replicas never wait for each other. */
async function holdDays(
  executor: Executor,
  submissions: readonly Submission[],
): Promise<ReadonlyMap<string, HeldDay>> {
  const days = new Map<string, HeldDay>()
  const wanted = new Set(submissions.flatMap((it) => [countedOn(it), dayOf(it.receivedAt)]))
  for (const day of [...wanted].toSorted()) {
    const [held] = await runStatement<{ combinations: number; kept: number }>(executor, holdDay, [day])
    days.set(day, { events: 0, combinations: held?.combinations ?? 0, kept: held?.kept ?? 0 })
  }
  return days
}

/** The day of the event, in UTC, while counts of that day are kept; else the day of arrival. */
function countedOn({ occurredAt, receivedAt }: Submission): string {
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

async function keepAsItCame(
  executor: Executor,
  submission: Submission,
  arrival: HeldDay,
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
  readonly held: HeldDay
  readonly combination: Combination
  readonly bounds: UsageBounds
}

async function count(executor: Executor, { day, held, combination, bounds }: CountOptions): Promise<void> {
  const valuesOf = (it: Combination) => [day, ...columns.map((column) => it[column])]
  held.events += 1
  const known = await runStatement(executor, countKnown, valuesOf(combination))
  if (known.length > 0) return
  if (held.combinations < bounds.combinationsPerDay) {
    held.combinations += 1
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

/** How many days counts are kept for. */
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

/** A day takes what was counted on it along. */
const pruneDays = `
  delete from status_usage_days where day in (
    select day from status_usage_days where day < current_date - ${keptDays} order by day limit 10 for update skip locked
  )
  returning 1
`

/** Forgets submissions after a week, and counts after 400 days. */
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
