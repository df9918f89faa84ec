import { hash } from 'node:crypto'
import { kernelFailure } from '#kernel/errors'
import type { TaskOutcome } from '#kernel/threads'
import { startRunningTimer } from '#kernel/timers'
import type { ThreadRequest, ThreadResult } from './expression-thread.ts'
import { createFairTurns } from './fair-turns.ts'
import { createOverruns } from './overruns.ts'
import { createThreadSet, type ExpressionThread } from './thread-set.ts'
import { expressionsOf } from './transform-values.ts'

/**
 * Threads that evaluate expressions, in two queues: one request at a time in the short queue, two in the long one. In each queue an account has
 * one turn at a time, also when it waits alone, so that the second account finds a free one; the next turn is of the account that has used
 * the least time (`fair-turns.ts`).
 *
 * | a request             | when                                                                | then                                       |
 * |-----------------------|---------------------------------------------------------------------|--------------------------------------------|
 * | arrives               | its input is small / large                                          | waits for the short / long queue            |
 * | waits (short)         | its turn / its turn, and it is expected to overrun (`overruns.ts`)  | runs (short) / waits (long)                |
 * | runs (short)          | it ends within the quantum                                          | done                                       |
 * | runs (short)          | the quantum is over, and the long queue has a turn for its account   | runs (long): its thread continues          |
 * | runs (short)          | the quantum is over otherwise                                       | its thread is terminated; waits (long), to run from its start |
 * | waits (long)          | its turn                                                            | runs (long)                                |
 * | runs (short or long)  | it exceeds its time or memory                                       | its thread is terminated; done: `ended`    |
 * | waits, or runs (long) | its caller aborts                                                   | removed, its thread is terminated          |
 * | runs (short)          | its caller aborts                                                   | ends with the quantum, which saves the thread |
 *
 * Expressions have no effects, so that a request may run twice. Times are running times: the start of a thread and a time in which the
 * machine stands still do not count.
 */
export interface ThreadPool extends AsyncDisposable {
  /** Throws the reason of the signal, and `shutting_down`. */
  run(request: ThreadRequest, options: PoolRunOptions): Promise<TaskOutcome<ThreadResult>>
}

interface PoolRunOptions {
  readonly accountId: string
  readonly queue: QueueName
  readonly signal?: AbortSignal | undefined
}

export type QueueName = 'short' | 'long'

export interface ThreadPoolOptions {
  /** The timeout of one expression. */
  readonly expressionMs?: number
  /** The timeout of one transformation, which evaluates an expression for each entry of a list. */
  readonly transformationMs?: number
  /** How long a request runs in the short queue. */
  readonly quantumMs?: number
}

const turns = { short: 1, long: 2 } as const
/** One more than the turns: the short queue continues in it at once while a stopped thread ends. */
const maxThreads = turns.short + turns.long + 1
/** What an account is charged for a thread that its request ended: another one has to start. */
const threadStartMs = 250

interface Job {
  readonly request: ThreadRequest
  readonly accountId: string
  /** Identifies its expressions. */
  readonly expression: string
  readonly outcome: PromiseWithResolvers<TaskOutcome<ThreadResult>>
  /** The queue in which it waits or runs. */
  queue: QueueName
  /** Undefined: it waits. */
  turn: Turn | undefined
}

interface Turn {
  beganMs: number
  /** Whether it exceeded the quantum. */
  hasOverrun: boolean
  /** Stops its thread. */
  readonly stopping: AbortController
}

export function createThreadPool(options: ThreadPoolOptions = {}): ThreadPool {
  const { expressionMs = 1000, transformationMs = 10_000, quantumMs = 100 } = options
  const threads = createThreadSet({ maxThreads, timeoutMs: expressionMs })
  const overruns = createOverruns()
  const queues = {
    short: createFairTurns<Job>({ turns: turns.short }),
    long: createFairTurns<Job>({ turns: turns.long }),
  }
  /** Requests whose callers wait for an outcome. */
  const open = new Set<Job>()
  let isClosed = false

  function wait(job: Job, queue: QueueName): void {
    job.queue = queue
    queues[queue].add(job.accountId, job)
  }

  /** Begins the next turn. Requests that are expected to overrun change the queue. */
  function nextJob(): Job | undefined {
    for (let job = queues.short.next(); job !== undefined; job = queues.short.next()) {
      if (!overruns.expects(job.accountId, job.expression)) return job
      queues.short.end(job.accountId, 0)
      wait(job, 'long')
    }
    return queues.long.next()
  }

  function takeThread(): ExpressionThread | undefined {
    return isClosed ? undefined : threads.take()
  }

  function startNext(): void {
    for (let thread = takeThread(); thread !== undefined; thread = takeThread()) {
      const job = nextJob()
      if (job === undefined) {
        threads.giveBack(thread, true)
        return
      }
      void runOn(thread, job)
      if (job.queue === 'long') threads.loadNext()
    }
  }

  async function runOn(thread: ExpressionThread, job: Job): Promise<void> {
    const turn: Turn = { beganMs: performance.now(), hasOverrun: false, stopping: new AbortController() }
    job.turn = turn
    const timeoutMs = job.request.kind === 'transform' ? transformationMs : expressionMs
    let quantum: Disposable | undefined
    const outcome = await thread.run(job.request, {
      timeoutMs,
      signal: turn.stopping.signal,
      onBegin() {
        turn.beganMs = performance.now()
        if (job.queue === 'long' || quantumMs >= timeoutMs) return
        // setImmediate: the result may have arrived while the main thread was busy.
        quantum = startRunningTimer(() => setImmediate(endQuantum, job, turn), quantumMs)
      },
    })
    quantum?.[Symbol.dispose]()
    threads.giveBack(thread, outcome.kind === 'done')
    if (job.turn === turn) finish(job, turn, outcome)
    startNext()
  }

  function endQuantum(job: Job, turn: Turn): void {
    if (job.turn !== turn) return
    const { accountId, expression } = job
    turn.hasOverrun = true
    overruns.add(accountId, expression)
    const usedMs = performance.now() - turn.beganMs
    if (open.has(job) && queues.long.begin(accountId)) {
      queues.short.end(accountId, usedMs)
      job.queue = 'long'
      turn.beganMs = performance.now()
    } else {
      queues.short.end(accountId, usedMs + threadStartMs)
      overruns.addStop(accountId)
      turn.stopping.abort()
      job.turn = undefined
      if (open.has(job)) wait(job, 'long')
    }
    startNext()
    threads.loadNext()
  }

  function finish(job: Job, turn: Turn, outcome: TaskOutcome<ThreadResult>): void {
    const { accountId, expression } = job
    const usedMs = performance.now() - turn.beganMs
    const isDone = outcome.kind === 'done'
    queues[job.queue].end(accountId, isDone ? usedMs : usedMs + threadStartMs)
    if (isDone && !turn.hasOverrun && usedMs < quantumMs) overruns.remove(accountId, expression)
    job.turn = undefined
    open.delete(job)
    job.outcome.resolve(outcome)
  }

  function abandon(job: Job, reason: unknown): void {
    open.delete(job)
    if (job.turn === undefined) queues[job.queue].remove(job.accountId, job)
    else if (job.queue === 'long') job.turn.stopping.abort()
    job.outcome.reject(reason)
  }

  return {
    async run(request, { accountId, queue, signal }) {
      signal?.throwIfAborted()
      if (isClosed) throw kernelFailure('shutting_down')
      const expression = identify(request)
      const outcome = Promise.withResolvers<TaskOutcome<ThreadResult>>()
      const job: Job = { request, accountId, expression, outcome, queue, turn: undefined }
      const onAbort = () => abandon(job, signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      open.add(job)
      wait(job, queue)
      startNext()
      try {
        return await outcome.promise
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      for (const { outcome } of open) outcome.reject(kernelFailure('shutting_down'))
      open.clear()
      await threads[Symbol.asyncDispose]()
    },
  }
}

function identify(request: ThreadRequest): string {
  const sources = request.kind === 'transform' ? expressionsOf(request.task) : [request.source]
  return hash('sha1', JSON.stringify([request.kind, ...sources]))
}
