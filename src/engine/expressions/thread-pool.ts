import { kernelFailure } from '#kernel/errors'
import { createTaskThread, type TaskOutcome, type TaskThread } from '#kernel/threads'
import type { ThreadRequest, ThreadResult } from './expression-thread.ts'

/** Threads that evaluate expressions. Accounts take turns, so that one with many slow expressions delays the others by one of them. */
export interface ThreadPool extends AsyncDisposable {
  /** Throws the reason of the signal, `overloaded` when too many requests of the account wait, and `shutting_down`. */
  run(request: ThreadRequest, caller: PoolCaller): Promise<TaskOutcome<ThreadResult>>
}

export interface PoolCaller {
  readonly accountId: string
  readonly signal?: AbortSignal | undefined
  /** Maximum number of waiting requests of the account. Default: no maximum, for callers that are limited themselves. */
  readonly maxWaiting?: number | undefined
}

export interface ThreadPoolOptions {
  /** The timeout of one expression. */
  readonly expressionMs?: number
  /** The timeout of one transformation, which evaluates an expression for each entry of a list. */
  readonly transformationMs?: number
}

const threads = 2
/** A thread that is not used ends, which returns its memory. */
const idleMs = 60_000
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

interface Waiting {
  readonly request: ThreadRequest
  readonly start: (outcome: Promise<TaskOutcome<ThreadResult>>) => void
}

export function createThreadPool(options: ThreadPoolOptions = {}): ThreadPool {
  const { expressionMs = 1000, transformationMs = 10_000 } = options
  const idle: TaskThread<ThreadRequest, ThreadResult>[] = []
  const all: TaskThread<ThreadRequest, ThreadResult>[] = []
  /** Waiting requests by account, in the order in which the accounts are served. */
  const queues = new Map<string, Set<Waiting>>()

  function open(): TaskThread<ThreadRequest, ThreadResult> {
    const thread = createTaskThread<ThreadRequest, ThreadResult>({
      module: new URL('./expression-thread.ts', import.meta.url),
      firstRequest: { kind: 'evaluate', source: '1', variables: new Map() },
      timeoutMs: expressionMs,
      maxWaiting: 1,
      memory,
      idleMs,
    })
    all.push(thread)
    return thread
  }

  function freeThread(): TaskThread<ThreadRequest, ThreadResult> | undefined {
    return idle.pop() ?? (all.length < threads ? open() : undefined)
  }

  async function runOn(
    thread: TaskThread<ThreadRequest, ThreadResult>,
    request: ThreadRequest,
  ): Promise<TaskOutcome<ThreadResult>> {
    try {
      return await thread.run(request, request.kind === 'transform' ? { timeoutMs: transformationMs } : {})
    } finally {
      idle.push(thread)
      startNext()
    }
  }

  /** Starts the oldest request of the account whose turn it is, when a thread is free. */
  function startNext(): void {
    const [account] = queues.keys()
    const queue = account === undefined ? undefined : queues.get(account)
    const [next] = queue ?? []
    if (account === undefined || queue === undefined || next === undefined) return
    const thread = freeThread()
    if (thread === undefined) return
    queue.delete(next)
    queues.delete(account)
    if (queue.size > 0) queues.set(account, queue)
    next.start(runOn(thread, next.request))
    startNext()
  }

  return {
    async run(request, { accountId, signal, maxWaiting = Number.POSITIVE_INFINITY }) {
      signal?.throwIfAborted()
      const queue = queues.get(accountId) ?? new Set()
      if (queue.size >= maxWaiting) throw kernelFailure('overloaded')
      const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome<ThreadResult>>()
      const waiting: Waiting = { request, start: resolve }
      const stop = () => {
        queue.delete(waiting)
        if (queue.size === 0 && queues.get(accountId) === queue) queues.delete(accountId)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
      queue.add(waiting)
      queues.set(accountId, queue)
      startNext()
      try {
        const outcome = await promise
        if (outcome.kind === 'closed') throw kernelFailure('shutting_down')
        return outcome
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}
