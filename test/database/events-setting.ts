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

/** A database with only the event log. */
export async function createLogDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [eventsMigrations], quiet)
  return database
}

/** A separate pool, like another process. */
export function connectAgain(url: string, environment: Record<string, string> = {}): Promise<Database> {
  return openDatabase({
    settings: readSettings(databaseSettings, { ...environment, DATABASE_URL: url }),
    log: quiet,
  })
}

export function openEvents(database: Database, options: Partial<EventsOptions> = {}): Events {
  return createEvents({ database, log: quiet, metrics: createMetrics({ watchProcess: false }), ...options })
}

/** Reads the given number of events from a stream. */
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
