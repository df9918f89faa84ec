import type { PlatformApi } from '../remote/platform-api.ts'
import { oneLine, shellQuoted } from '../text.ts'

/** The parts of an execution in a response that say whether it works or waits. */
export interface RunState {
  readonly status: string
  readonly approval?: string | null
  /** Set while it only waits. */
  readonly suspended?: { readonly waits: readonly Wait[] } | null
  /** Set while a limit of its flow keeps it back. */
  readonly gated?: { readonly limit: string; readonly ahead: number } | null
}

export interface Wait {
  readonly step_id: string
  /** The index of its batch item. */
  readonly item?: number
  readonly kind: 'timer' | 'human' | 'event'
  /** Epoch seconds. */
  readonly until: number | null
  readonly human_task_id?: string
  readonly event?: string
  readonly correlation_key?: string
}

/** The state of a run, as `state` in the lists of the API has it. */
export function stateOf({ status, approval, suspended, gated }: RunState): string {
  if (status === 'queued' && approval === 'pending') return 'needs_approval'
  if (suspended) return suspended.waits.some(({ kind }) => kind === 'human') ? 'needs_answer' : 'waiting'
  return gated ? 'waiting' : status
}

/** A state for people: `needs answer`. */
export function writeState(state: string): string {
  return state.replaceAll('_', ' ')
}

/** Whether a run waits for a person, an event or a time. A run that a limit of its flow keeps back is merely queued. */
export function waitsForOthers({ approval, suspended }: RunState): boolean {
  return approval === 'pending' || Boolean(suspended)
}

/** What a step waits for, until when, and the command that ends the wait. */
export function describeWait(wait: Wait, api: Pick<PlatformApi, 'url' | 'flags'>): string {
  const { step_id: step, kind, until, human_task_id: task } = wait
  const end = until === null ? '' : ` until ${new Date(until * 1000).toISOString()}`
  const name = oneLine(step)
  if (kind === 'timer') return `${name} waits${end}.`
  if (kind === 'human')
    return `${name} waits for an answer${end}: npx tutti human-tasks answer ${task}${api.flags}`
  const { event = '', correlation_key: key = '' } = wait
  return `${name} waits for the event "${oneLine(event)}" with the key "${oneLine(key)}"${end}. Send it: ${sendEvent(wait, api)}`
}

function sendEvent({ event: name, correlation_key }: Wait, { url }: Pick<PlatformApi, 'url'>): string {
  const body = shellQuoted(JSON.stringify({ name, correlation_key, data: {} }))
  const headers = `-H "Authorization: Bearer $TUTTI_API_KEY" -H 'Content-Type: application/json'`
  return `curl ${url}/ai-workflows/api/events ${headers} -d ${body}`
}
