import type { StepRef } from '../execution/leased-execution.ts'
import type { StepPhase } from '../steps/step-run.ts'

/** A live update of an execution. */
export type LiveMessage = { readonly executionId: string } & (
  | {
      readonly kind: 'advanced'
      /** Steps whose outcome is committed. */
      readonly ended?: readonly StepRef[]
      /** The execution left its worker, so none of its steps is running. */
      readonly left?: true
    }
  | { readonly kind: 'begun'; readonly item: number; readonly stepId: string }
  | { readonly kind: 'token'; readonly item: number; readonly stepId: string; readonly text: string }
  | { readonly kind: 'phase'; readonly item: number; readonly stepId: string; readonly phase: StepPhase }
)

/** PostgreSQL limits a notification to 8,000 bytes. */
const maxBytes = 7500
const maxTextLength = 1500
const maxEnded = 20

/** Packs the messages into as few notifications as possible. */
export function writeMessages(from: string, messages: readonly LiveMessage[]): string[] {
  const payloads: string[] = []
  let parts: string[] = []
  let bytes = 0
  const close = () => {
    if (parts.length > 0) payloads.push(`{"from":"${from}","messages":[${parts.join(',')}]}`)
    parts = []
    bytes = 0
  }
  for (const message of messages.flatMap(split)) {
    const part = JSON.stringify(message)
    const size = Buffer.byteLength(part) + 1
    if (bytes + size > maxBytes) close()
    parts.push(part)
    bytes += size
  }
  close()
  return payloads
}

export function readMessages(payload: string): {
  readonly from: string
  readonly messages: readonly LiveMessage[]
} {
  return JSON.parse(payload) as ReturnType<typeof readMessages>
}

function split(message: LiveMessage): LiveMessage[] {
  if (message.kind === 'advanced' && (message.ended?.length ?? 0) > maxEnded) {
    const { ended = [], ...rest } = message
    return [
      { ...rest, ended: ended.slice(0, maxEnded) },
      ...split({ ...message, ended: ended.slice(maxEnded) }),
    ]
  }
  if (message.kind !== 'token' || message.text.length <= maxTextLength) return [message]
  const pieces: LiveMessage[] = []
  for (let from = 0; from < message.text.length; from += maxTextLength) {
    pieces.push({ ...message, text: message.text.slice(from, from + maxTextLength) })
  }
  return pieces
}
