import { randomUUID } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { StepRef } from '../execution/leased-execution.ts'
import type { StepPhase } from '../steps/step-run.ts'

/**
 * Live updates of executions: tokens of models, and hints that the journal has new events. Delivered at once in this process, and
 * within milliseconds in all other processes. They are not stored: a missed update is in the journal, or part of an output.
 */
export interface Live extends AsyncDisposable {
  stepStarted(executionId: string, step: StepRef): void
  token(executionId: string, step: StepRef, text: string): void
  phase(executionId: string, step: StepRef, phase: StepPhase): void
  /** Resolves when all tokens were sent to the other processes: the next commit must not be visible before them. */
  flushTokens(): Promise<void> | undefined
  /** The journal of the execution has new events, and the outcomes of these steps are committed. */
  advanced(executionId: string, ended?: readonly StepRef[]): void
  /** The execution no longer runs here, so none of its steps does. */
  left(executionId: string): void
  /** Running steps of an execution, with the text of their model so far. */
  stepsOf(executionId: string): readonly LiveStep[]
  /** Subscribes to the messages of one execution. `undefined` means that messages may have been missed. */
  watch(executionId: string, listener: (message: LiveMessage | undefined) => void): Disposable
}

export interface LiveOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly log: Logger
}

const channel = 'engine_live'

/** Messages within this time are sent together. */
const batchMs = 40

export async function openLive({ database, log }: LiveOptions): Promise<Live> {
  const processId = randomUUID()
  const watchers = new Map<string, Set<(message: LiveMessage | undefined) => void>>()
  const steps = createLiveSteps()
  let unsent: LiveMessage[] = []
  const advancedSince = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let hasTokens = false

  function deliver(message: LiveMessage): void {
    steps.take(message)
    for (const listener of watchers.get(message.executionId) ?? []) listener(message)
  }

  function publish(message: LiveMessage): void {
    deliver(message)
    unsent.push(message)
    hasTokens ||= message.kind === 'token'
    timer ??= setTimeout(send, batchMs)
  }

  function send(): void {
    timer = undefined
    const messages = unsent
    unsent = []
    hasTokens = false
    advancedSince.clear()
    // One after the other, to keep the order. A failure is not retried: the messages are only hints.
    sending = sendAfter(sending, writeMessages(processId, messages)).catch((error: unknown) => {
      log.debug({ err: error }, 'live updates of executions could not be sent to other processes')
    })
  }

  async function sendAfter(before: Promise<void>, payloads: readonly string[]): Promise<void> {
    await before
    for (const payload of payloads) {
      await database.query('select pg_notify($1, $2)', [channel, payload], 'engine_tell')
    }
  }

  function receive(payload: string): void {
    const { from, messages } = readMessages(payload)
    if (from !== processId) for (const message of messages) deliver(message)
  }

  function missed(): void {
    for (const listeners of watchers.values()) for (const listener of listeners) listener(undefined)
  }

  const subscription = await database.listen(channel, receive, missed)
  return {
    stepStarted: (executionId, step) => publish({ kind: 'begun', executionId, ...step }),
    token: (executionId, step, text) => publish({ kind: 'token', executionId, ...step, text }),
    phase: (executionId, step, phase) => publish({ kind: 'phase', executionId, ...step, phase }),
    flushTokens() {
      if (!hasTokens) return undefined
      clearTimeout(timer)
      send()
      return sending
    },
    advanced(executionId, ended = []) {
      // Pure steps are not announced, so their outcomes need no message.
      const known = ended.filter((step) => steps.has(executionId, step))
      if (known.length > 0) return publish({ kind: 'advanced', executionId, ended: known.map(toRef) })
      const message = { kind: 'advanced', executionId } as const
      if (advancedSince.has(executionId)) return deliver(message)
      advancedSince.add(executionId)
      publish(message)
    },
    left(executionId) {
      if (steps.has(executionId)) publish({ kind: 'advanced', executionId, left: true })
    },
    stepsOf: (executionId) => steps.of(executionId),
    watch(executionId, listener) {
      const listeners = watchers.get(executionId) ?? new Set()
      watchers.set(executionId, listeners.add(listener))
      return {
        [Symbol.dispose]() {
          listeners.delete(listener)
          if (listeners.size === 0 && watchers.get(executionId) === listeners) watchers.delete(executionId)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      send()
      await sending
      await subscription[Symbol.asyncDispose]()
    },
  }
}

function toRef({ item, stepId }: StepRef): StepRef {
  return { item, stepId }
}

/** A running step, as far as live messages describe it. */
export interface LiveStep {
  readonly stepId: string
  readonly item: number
  readonly startedAt: Date
  readonly phase: StepPhase | null
  /** The last part of the text of its model. */
  readonly text: string
}

interface LiveSteps {
  take(message: LiveMessage): void
  has(executionId: string, step?: StepRef): boolean
  of(executionId: string): readonly LiveStep[]
}

interface LiveStepsOptions {
  readonly maxSteps?: number
  readonly maxCharacters?: number
}

const maxTextLength = 4000

/**
 * Keeps the running steps of all executions until their outcome is committed or their execution leaves its worker. Messages can be
 * lost, so the number of steps and characters is also limited: the least recently updated step is dropped first.
 */
export function createLiveSteps({
  maxSteps = 5000,
  maxCharacters = 4 * 1024 * 1024,
}: LiveStepsOptions = {}): LiveSteps {
  const executions = new Map<string, Map<string, LiveStep>>()
  /** The execution of each step, the least recently updated first. */
  const order = new Map<string, { readonly executionId: string; readonly key: string }>()
  let characters = 0

  function remove(executionId: string, key: string): void {
    const steps = executions.get(executionId)
    const step = steps?.get(key)
    if (steps === undefined || step === undefined) return
    characters -= step.text.length
    steps.delete(key)
    if (steps.size === 0) executions.delete(executionId)
    order.delete(`${executionId} ${key}`)
  }

  function update(executionId: string, step: LiveStep): void {
    const key = keyOf(step)
    remove(executionId, key)
    const steps = executions.get(executionId) ?? new Map<string, LiveStep>()
    executions.set(executionId, steps.set(key, step))
    order.set(`${executionId} ${key}`, { executionId, key })
    characters += step.text.length
    for (const oldest of order.values()) {
      if (order.size <= maxSteps && characters <= maxCharacters) break
      remove(oldest.executionId, oldest.key)
    }
  }

  return {
    take(message) {
      const { executionId } = message
      if (message.kind === 'advanced') {
        for (const step of message.ended ?? []) remove(executionId, keyOf(step))
        if (message.left === true)
          for (const key of executions.get(executionId)?.keys() ?? []) remove(executionId, key)
        return
      }
      const { item, stepId } = message
      const before = message.kind === 'begun' ? undefined : executions.get(executionId)?.get(keyOf(message))
      const text = before?.text ?? ''
      update(executionId, {
        stepId,
        item,
        startedAt: before?.startedAt ?? new Date(),
        phase: message.kind === 'phase' ? message.phase : (before?.phase ?? null),
        text: message.kind === 'token' ? `${text}${message.text}`.slice(-maxTextLength) : text,
      })
    },
    has(executionId, step) {
      const steps = executions.get(executionId)
      return steps !== undefined && (step === undefined || steps.has(keyOf(step)))
    },
    of: (executionId) => [...(executions.get(executionId)?.values() ?? [])],
  }
}

function keyOf({ item, stepId }: StepRef): string {
  return `${item} ${stepId}`
}

/** A live update of an execution. */
type LiveMessage = { readonly executionId: string } & (
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
const maxTokenTextLength = 1500
const maxEnded = 20

/** Packs the messages into as few notifications as possible. */
function writeMessages(from: string, messages: readonly LiveMessage[]): string[] {
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

function readMessages(payload: string): {
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
  if (message.kind !== 'token' || message.text.length <= maxTokenTextLength) return [message]
  const pieces: LiveMessage[] = []
  for (let from = 0; from < message.text.length; from += maxTokenTextLength) {
    pieces.push({ ...message, text: message.text.slice(from, from + maxTokenTextLength) })
  }
  return pieces
}
