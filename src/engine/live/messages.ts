import type { WatchedStep } from '../execution/held-execution.ts'
import type { StepPhase } from '../steps/step-run.ts'

/** Something that happens in an execution now. */
export type LiveMessage = { readonly executionId: string } & (
  | {
      readonly kind: 'advanced'
      /** Steps whose outcome is stored now. */
      readonly ended?: readonly WatchedStep[]
      /** The execution no longer runs where it ran: none of its steps is under way. */
      readonly left?: true
    }
  | { readonly kind: 'begun'; readonly item: number; readonly stepId: string }
  | { readonly kind: 'token'; readonly item: number; readonly stepId: string; readonly text: string }
  | { readonly kind: 'phase'; readonly item: number; readonly stepId: string; readonly phase: StepPhase }
)

/** PostgreSQL takes notifications of less than 8,000 bytes. */
const mostBytes = 7500
const mostTextLength = 1500
const maxEnded = 20

/** As few notifications as the messages fit into. */
export function writeMessages(from: string, messages: readonly LiveMessage[]): string[] {
  const payloads: string[] = []
  let parts: string[] = []
  let bytes = 0
  const close = () => {
    if (parts.length > 0) payloads.push(`{"from":"${from}","messages":[${parts.join(',')}]}`)
    parts = []
    bytes = 0
  }
  for (const message of messages.flatMap(cut)) {
    const part = JSON.stringify(message)
    const size = Buffer.byteLength(part) + 1
    if (bytes + size > mostBytes) close()
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

function cut(message: LiveMessage): LiveMessage[] {
  if (message.kind === 'advanced' && (message.ended?.length ?? 0) > maxEnded) {
    const { ended = [], ...rest } = message
    return [
      { ...rest, ended: ended.slice(0, maxEnded) },
      ...cut({ ...message, ended: ended.slice(maxEnded) }),
    ]
  }
  if (message.kind !== 'token' || message.text.length <= mostTextLength) return [message]
  const pieces: LiveMessage[] = []
  for (let from = 0; from < message.text.length; from += mostTextLength) {
    pieces.push({ ...message, text: message.text.slice(from, from + mostTextLength) })
  }
  return pieces
}
