import { units } from '#executions-api'
import type { NewEvent, StoredEvent } from '#kernel/events'

/** Events of the live stream that the event log stores, there with a prefix. */
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

/** The event log's types that the stream sends. */
export const streamEventTypes: readonly string[] = [
  ...keptNames.map((name) => `${prefix}${name}`),
  providerChange,
]

/** An event of the stream, as the event log stores it. */
export function streamEvent(name: KeptName, event: Omit<NewEvent, 'type'>): NewEvent {
  return { ...event, type: `${prefix}${name}` }
}

/** One message of the stream, serialised once for all its readers. */
export interface StreamEntry {
  readonly id: number
  /** The account it belongs to; null for all accounts. */
  readonly account: string | null
  readonly event: string
  readonly json: string
}

/** Undefined for an event the stream does not send. */
export function toStreamEntry({ id, type, account, data, createdAt }: StoredEvent): StreamEntry | undefined {
  if (type === providerChange) {
    const status = { ...data, timestamp: units.epochSeconds(createdAt) }
    return { id, account: null, event: 'provider_status', json: JSON.stringify(status) }
  }
  if (!type.startsWith(prefix) || !streamEventTypes.includes(type)) return undefined
  return { id, account, event: type.slice(prefix.length), json: JSON.stringify(data) }
}
