import { Worker as Thread } from 'node:worker_threads'
import { startRunningTimer } from '#kernel/timers'

/** A worker thread that runs requests one after the other, so that none of them blocks the event loop. */
export interface TaskThread<Request, Result> extends AsyncDisposable {
  /** Runs a request after those before it, within the timeout of the thread or its own. Never throws. */
  run(request: Request, options?: { readonly timeoutMs?: number }): Promise<TaskOutcome<Result>>
}

/**
 * | outcome  | reason                                                                   |
 * |----------|--------------------------------------------------------------------------|
 * | `done`   | the thread sent its result                                               |
 * | `full`   | too many requests wait                                                   |
 * | `ended`  | the thread ended before its result: after the timeout, or by an error    |
 * | `failed` | the thread could not be started                                          |
 * | `closed` | the thread is closed                                                     |
 */
export type TaskOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'full' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface TaskThreadOptions<Request> {
  /** The module of the thread. It responds to each message with one message. */
  readonly module: URL
  /** Sent to a new thread: its result shows that the thread has loaded its libraries, and only then do timeouts count. */
  readonly firstRequest: Request
  /** The timeout of one request, after which the thread is terminated. */
  readonly timeoutMs: number
  /** Maximum number of running and waiting requests. */
  readonly maxWaiting: number
  /** Exceeding these ends the thread, not the process. */
  readonly memory: { readonly maxOldGenerationSizeMb: number; readonly maxYoungGenerationSizeMb: number }
  /** The thread ends after this time without a request, which returns its memory. Default: it stays. */
  readonly idleMs?: number | undefined
}

interface StartedThread {
  readonly thread: Thread
  readonly ready: Promise<void>
}

/** Creates the thread with its first request. */
export function createTaskThread<Request, Result>(
  options: TaskThreadOptions<Request>,
): TaskThread<Request, Result> {
  const { timeoutMs, maxWaiting, idleMs } = options
  let started: StartedThread | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isClosed = false
  let idleTimer: NodeJS.Timeout | undefined

  async function runNow(request: Request, withinMs: number): Promise<TaskOutcome<Result>> {
    if (isClosed) return { kind: 'closed' }
    started ??= start(options, () => {
      started = undefined
    })
    const { thread, ready } = started
    try {
      await ready
    } catch (error) {
      started = undefined
      return isClosed ? { kind: 'closed' } : { kind: 'failed', error }
    }
    const { promise, resolve } = Promise.withResolvers<TaskOutcome<Result>>()
    const onResult = (result: Result) => resolve({ kind: 'done', result })
    const onEnd = () => resolve({ kind: isClosed ? 'closed' : 'ended' })
    // The thread did not run either while the process was suspended. setImmediate reads pending messages first: the result may have
    // arrived while the main thread was busy.
    const timeout = startRunningTimer(() => setImmediate(onEnd), withinMs)
    thread.once('message', onResult).once('error', onEnd).once('exit', onEnd)
    thread.postMessage(request, [])
    const outcome = await promise
    timeout[Symbol.dispose]()
    thread.off('message', onResult).off('error', onEnd).off('exit', onEnd)
    if (outcome.kind !== 'done') await thread.terminate()
    return outcome
  }

  /** Ends the thread in the order of the requests, so that none is sent to a thread that ends. */
  function endIdleThread(): void {
    last = last.then(() => (waiting === 0 ? started?.thread.terminate() : undefined))
  }

  return {
    async run(request, { timeoutMs: withinMs = timeoutMs } = {}) {
      if (waiting >= maxWaiting) return { kind: 'full' }
      waiting += 1
      clearTimeout(idleTimer)
      const outcome = last.then(() => runNow(request, withinMs))
      last = outcome
      try {
        return await outcome
      } finally {
        waiting -= 1
        if (waiting === 0 && idleMs !== undefined && !isClosed)
          idleTimer = setTimeout(endIdleThread, idleMs).unref()
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(idleTimer)
      await started?.thread.terminate()
      await last
    },
  }
}

/** Starts the thread without environment variables, which the input of callers must not reach. */
function start<Request>(
  { module, firstRequest, memory }: TaskThreadOptions<Request>,
  onExit: () => void,
): StartedThread {
  const thread = new Thread(module, { env: {}, resourceLimits: { ...memory, stackSizeMb: 4 } })
  thread.unref()
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  // Stays attached, because an unhandled error event would end the process.
  thread.on('error', reject).once('message', () => resolve())
  thread.once('exit', () => {
    onExit()
    reject(new Error('the thread ended'))
  })
  thread.postMessage(firstRequest, [])
  return { thread, ready }
}
