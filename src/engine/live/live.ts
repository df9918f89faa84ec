import { randomUUID } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { StepRef } from '../execution/leased-execution.ts'
import type { StepPhase } from '../steps/step-run.ts'
import { createLiveSteps, type LiveStep } from './live-steps.ts'
import { type LiveMessage, readMessages, writeMessages } from './messages.ts'

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
