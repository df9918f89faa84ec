import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, migrate, openDatabase } from '#kernel/database'
import {
  createEvents,
  type Events,
  type EventsOptions,
  eventsMigrations,
  type StoredEvent,
} from '#kernel/events'
import { createLogger, createMetrics, type Logger } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const quiet: Logger = createLogger({ level: 'silent', format: 'json' })

/** A database that has the event log and nothing else. */
export async function createLogDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [eventsMigrations], quiet)
  return database
}

/** A pool of its own, as another process would have. */
export function connectAgain(url: string, environment: Record<string, string> = {}): Promise<Database> {
  return openDatabase({
    settings: readSettings(databaseSettings, { ...environment, DATABASE_URL: url }),
    log: quiet,
  })
}

export function openEvents(database: Database, options: Partial<EventsOptions> = {}): Events {
  return createEvents({ database, log: quiet, metrics: createMetrics({ watchProcess: false }), ...options })
}

/** Reads from a stream until it has given so many events. */
export async function take(stream: AsyncIterable<StoredEvent>, count: number): Promise<StoredEvent[]> {
  const taken: StoredEvent[] = []
  if (count === 0) return taken
  for await (const event of stream) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

export const idsOf = (events: readonly StoredEvent[]): number[] => events.map((event) => event.id)

/** from, from + 1, … to */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
