import { createTaskThread, type TaskThread } from '#kernel/threads'
import type { ThreadRequest, ThreadResult } from './expression-thread.ts'

export type ExpressionThread = TaskThread<ThreadRequest, ThreadResult>

/** Threads that evaluate expressions, one request at a time. A thread starts with its first request, and ends when it is not used. */
export interface ThreadSet extends AsyncDisposable {
  /** A free thread, a loaded one if there is one. Undefined: all are in use. */
  take(): ExpressionThread | undefined
  /** The thread is free; `isLoaded` is false when its last request ended it. */
  giveBack(thread: ExpressionThread, isLoaded: boolean): void
  /** Loads the thread that is taken next: starting one takes about 0.25 s of computing. */
  loadNext(): void
}

/** A thread that is not used ends, which returns its memory: about 30 MB. */
const idleMs = 60_000
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

export function createThreadSet({
  maxThreads,
  timeoutMs,
}: {
  readonly maxThreads: number
  readonly timeoutMs: number
}): ThreadSet {
  const all: ExpressionThread[] = []
  /** The last one is taken next. */
  const free: ExpressionThread[] = []

  function open(): ExpressionThread {
    const thread = createTaskThread<ThreadRequest, ThreadResult>({
      module: new URL('./expression-thread.ts', import.meta.url),
      firstRequest: { kind: 'evaluate', source: '1', variables: new Map() },
      timeoutMs,
      maxWaiting: 1,
      memory,
      idleMs,
    })
    all.push(thread)
    return thread
  }

  const take = () => free.pop() ?? (all.length < maxThreads ? open() : undefined)

  return {
    take,
    giveBack(thread, isLoaded) {
      if (isLoaded) free.push(thread)
      else free.unshift(thread)
    },
    loadNext() {
      const next = take()
      if (next === undefined) return
      next.load()
      free.push(next)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}
