import type { NewEvent, StoredEvent } from '#kernel/events'
import { epochSeconds } from '#runs'

/** Names of what the live stream tells and the event log keeps; in the log they have a prefix. */
const keptNames = [
  'workflow_started',
  'workflow_completed',
  'workflow_failed',
  'agent_performance',
  'cost_alert',
  'error',
] as const

type KeptName = (typeof keptNames)[number]

const prefix = 'orchestra.'
const providerChange = 'models.provider_status_changed'

/** The types of the event log that the stream is made of. */
export const liveTypes: readonly string[] = [...keptNames.map((name) => `${prefix}${name}`), providerChange]

/** Something for the stream, as the event log keeps it. */
export function liveEvent(name: KeptName, event: Omit<NewEvent, 'type'>): NewEvent {
  return { ...event, type: `${prefix}${name}` }
}

/** One message of the stream, written once for all who get it. */
export interface LiveEntry {
  readonly id: number
  /** Whose it is; null: of interest to everybody. */
  readonly account: string | null
  readonly event: string
  readonly json: string
}

/** Undefined: not for the stream. */
export function toLiveEntry({ id, type, account, data, createdAt }: StoredEvent): LiveEntry | undefined {
  if (type === providerChange) {
    const told = { ...data, timestamp: epochSeconds(createdAt) }
    return { id, account: null, event: 'provider_status', json: JSON.stringify(told) }
  }
  if (!type.startsWith(prefix) || !liveTypes.includes(type)) return undefined
  return { id, account, event: type.slice(prefix.length), json: JSON.stringify(data) }
}
