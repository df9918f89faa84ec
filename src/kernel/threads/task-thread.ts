import { Worker as Thread } from 'node:worker_threads'
import { startRunningTimer } from '#kernel/timers'

/** A worker thread that runs requests one after the other, so that none of them blocks the event loop. */
export interface TaskThread<Request, Result> extends AsyncDisposable {
  /** Runs a request after those before it. Never throws. */
  run(request: Request, options?: RunOptions): Promise<TaskOutcome<Result>>
  /** Starts the thread, so that the next request finds its libraries loaded. */
  load(): void
}

interface RunOptions {
  /** Default: the timeout of the thread. */
  readonly timeoutMs?: number | undefined
  /** Stops the request: one that waits does not begin, one that runs ends with its thread. */
  readonly signal?: AbortSignal | undefined
  /** Invoked when the loaded thread begins with the request: what comes before is no running time. */
  readonly onBegin?: (() => void) | undefined
}

/**
 * | outcome   | reason                                                                  |
 * |-----------|-------------------------------------------------------------------------|
 * | `done`    | the thread sent its result                                              |
 * | `full`    | too many requests wait                                                  |
 * | `ended`   | the thread ended before its result: after the timeout, or by an error   |
 * | `stopped` | the signal of the request aborted                                       |
 * | `failed`  | the thread could not be started                                         |
 * | `closed`  | the thread is closed                                                    |
 */
export type TaskOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'full' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'stopped' }
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

  function startOnce(): StartedThread {
    return (started ??= start(options, () => {
      started = undefined
    }))
  }

  async function runNow(
    request: Request,
    { timeoutMs: withinMs = timeoutMs, signal, onBegin }: RunOptions,
  ): Promise<TaskOutcome<Result>> {
    if (isClosed) return { kind: 'closed' }
    const isStopped = () => signal?.aborted === true
    if (isStopped()) return { kind: 'stopped' }
    const { thread, ready } = startOnce()
    try {
      // Not given up when the signal aborts: the next request needs the thread, too.
      await ready
    } catch (error) {
      started = undefined
      return isClosed ? { kind: 'closed' } : { kind: 'failed', error }
    }
    if (isStopped()) return { kind: 'stopped' }
    const { promise, resolve } = Promise.withResolvers<TaskOutcome<Result>>()
    const onResult = (result: Result) => resolve({ kind: 'done', result })
    const onEnd = () => resolve({ kind: isClosed ? 'closed' : 'ended' })
    const onStop = () => resolve({ kind: 'stopped' })
    // The thread did not run either while the process was suspended. setImmediate reads pending messages first: the result may have
    // arrived while the main thread was busy.
    const timeout = startRunningTimer(() => setImmediate(onEnd), withinMs)
    thread.once('message', onResult).once('error', onEnd).once('exit', onEnd)
    signal?.addEventListener('abort', onStop, { once: true })
    onBegin?.()
    thread.postMessage(request, [])
    const outcome = await promise
    timeout[Symbol.dispose]()
    signal?.removeEventListener('abort', onStop)
    thread.off('message', onResult).off('error', onEnd).off('exit', onEnd)
    if (outcome.kind !== 'done') await thread.terminate()
    return outcome
  }

  /** Ends the thread in the order of the requests, so that none is sent to a thread that ends. */
  function endIdleThread(): void {
    last = last.then(() => (waiting === 0 ? started?.thread.terminate() : undefined))
  }

  function startIdleTimer(): void {
    clearTimeout(idleTimer)
    if (waiting === 0 && idleMs !== undefined && !isClosed)
      idleTimer = setTimeout(endIdleThread, idleMs).unref()
  }

  return {
    async run(request, runOptions = {}) {
      if (waiting >= maxWaiting) return { kind: 'full' }
      waiting += 1
      clearTimeout(idleTimer)
      const outcome = last.then(() => runNow(request, runOptions))
      last = outcome
      try {
        return await outcome
      } finally {
        waiting -= 1
        startIdleTimer()
      }
    },
    load() {
      if (isClosed) return
      // The next request starts the thread again, and has the outcome.
      startOnce().ready.catch(() => {})
      startIdleTimer()
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
