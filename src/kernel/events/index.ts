export type { EventTransaction } from './append-events.ts'
export type { EventData, NewEvent, StoredEvent } from './event.ts'
export { createEvents, type Events, type EventsOptions } from './events.ts'
export { eventsMigrations } from './migrations.ts'
