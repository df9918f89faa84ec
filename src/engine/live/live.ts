import { randomUUID } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { WatchedStep } from '../execution/held-execution.ts'
import type { StepPhase } from '../steps/step-run.ts'
import { createLiveSteps, type LiveStep } from './live-steps.ts'
import { type LiveMessage, readMessages, writeMessages } from './messages.ts'

/**
 * What happens in executions at this moment, for those who watch: texts of models as they come, and hints that there is more to
 * read. Told at once in this process, and within some milliseconds in all others. Nothing of it is kept: what was missed stands in
 * the journal, or is part of an output.
 */
export interface Live extends AsyncDisposable {
  begun(executionId: string, step: WatchedStep): void
  token(executionId: string, step: WatchedStep, text: string): void
  phase(executionId: string, step: WatchedStep, phase: StepPhase): void
  /** Resolves when the others have been sent what models said here: what comes after it in the journal must not come before it. */
  saidAll(): Promise<void> | undefined
  /** Its journal has grown, and these steps have their outcome in the database. */
  advanced(executionId: string, ended?: readonly WatchedStep[]): void
  /** It no longer runs here: none of its steps is under way. */
  left(executionId: string): void
  /** Steps under way that were heard of, with what their models have said so far. */
  stepsOf(executionId: string): readonly LiveStep[]
  /** Hears of one execution from now on. `undefined` stands for messages that may have been missed. */
  watch(executionId: string, hear: (message: LiveMessage | undefined) => void): Disposable
}

export interface LiveOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly log: Logger
}

const channel = 'engine_live'

/** What happens within this time goes out together. */
const gatherMs = 40

export async function openLive({ database, log }: LiveOptions): Promise<Live> {
  const ourselves = randomUUID()
  const watchers = new Map<string, Set<(message: LiveMessage | undefined) => void>>()
  const steps = createLiveSteps()
  let waiting: LiveMessage[] = []
  const advancedSince = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let hasTokens = false

  function hear(message: LiveMessage): void {
    steps.take(message)
    for (const listener of watchers.get(message.executionId) ?? []) listener(message)
  }

  function tell(message: LiveMessage): void {
    hear(message)
    waiting.push(message)
    hasTokens ||= message.kind === 'token'
    timer ??= setTimeout(send, gatherMs)
  }

  function send(): void {
    timer = undefined
    const messages = waiting
    waiting = []
    hasTokens = false
    advancedSince.clear()
    // In turns, so that the order stays; what cannot be sent was only a hint.
    sending = sendAfter(sending, writeMessages(ourselves, messages)).catch((error: unknown) => {
      log.debug({ err: error }, 'others could not be told what happens here')
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
    if (from !== ourselves) for (const message of messages) hear(message)
  }

  function missed(): void {
    for (const heard of watchers.values()) for (const listener of heard) listener(undefined)
  }

  const subscription = await database.listen(channel, receive, missed)
  return {
    begun: (executionId, step) => tell({ kind: 'begun', executionId, ...step }),
    token: (executionId, step, text) => tell({ kind: 'token', executionId, ...step, text }),
    phase: (executionId, step, phase) => tell({ kind: 'phase', executionId, ...step, phase }),
    saidAll() {
      if (!hasTokens) return undefined
      clearTimeout(timer)
      send()
      return sending
    },
    advanced(executionId, ended = []) {
      // Others know no more steps than this process, and steps that only compute are told to nobody.
      const known = ended.filter((step) => steps.has(executionId, step))
      if (known.length > 0) return tell({ kind: 'advanced', executionId, ended: known.map(toWatched) })
      const message = { kind: 'advanced', executionId } as const
      if (advancedSince.has(executionId)) return hear(message)
      advancedSince.add(executionId)
      tell(message)
    },
    left(executionId) {
      if (steps.has(executionId)) tell({ kind: 'advanced', executionId, left: true })
    },
    stepsOf: (executionId) => steps.of(executionId),
    watch(executionId, listener) {
      const heard = watchers.get(executionId) ?? new Set()
      watchers.set(executionId, heard.add(listener))
      return {
        [Symbol.dispose]() {
          heard.delete(listener)
          if (heard.size === 0 && watchers.get(executionId) === heard) watchers.delete(executionId)
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

function toWatched({ item, stepId }: WatchedStep): WatchedStep {
  return { item, stepId }
}
