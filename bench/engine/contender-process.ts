import { setTimeout as delay } from 'node:timers/promises'

/** The requests of the benchmark to a contender, which runs in its own process. */
export type Question =
  | {
      readonly kind: 'throughput'
      readonly way: string
      readonly concurrency: number
      readonly forMs: number
    }
  | { readonly kind: 'waits'; readonly samples: number; readonly maxPauseMs: number }
  | { readonly kind: 'end' }

export interface Ready {
  /** Process id of the program that stores its data, if that is not the shared PostgreSQL. */
  readonly serverPid?: number | undefined
}

export interface Throughput {
  readonly runs: number
  readonly seconds: number
}

export type Answer = Throughput | { readonly waitsMs: readonly number[] } | { readonly error: string }

/** Functions that run one execution to its end, by the name of the way it is started. */
type Ways = Readonly<Record<string, () => Promise<unknown>>>

interface ContenderProcess {
  readonly ways: Ways
  /** Adds an execution to the queue; calls back when its first step begins. */
  readonly enqueue: (begun: () => void) => Promise<unknown>
  readonly serverPid?: number | undefined
  readonly close: () => Promise<void>
}

/** Handles requests of the benchmark until it ends. */
export function serveBenchmark({ ways, enqueue, serverPid, close }: ContenderProcess): void {
  async function answer(question: Exclude<Question, { kind: 'end' }>): Promise<Answer> {
    if (question.kind === 'waits') return { waitsMs: await measureWaits(enqueue, question) }
    const run = ways[question.way]
    if (run === undefined) throw new Error(`unknown way "${question.way}"`)
    return await measureThroughput(run, question)
  }

  async function hear(question: Question): Promise<void> {
    if (question.kind === 'end') {
      await close()
      return process.disconnect()
    }
    const told = await answer(question).catch((error: unknown) => ({
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    process.send?.(told)
  }

  process.on('message', (question: Question) => void hear(question))
  process.send?.({ serverPid } satisfies Ready)
}

/** Runs executions concurrently, each followed by the next, until the time has passed and all have ended. */
async function measureThroughput(
  run: () => Promise<unknown>,
  { concurrency, forMs }: { readonly concurrency: number; readonly forMs: number },
): Promise<Throughput> {
  const begunAt = performance.now()
  let runs = 0
  const worker = async () => {
    while (performance.now() - begunAt < forMs) {
      await run()
      runs += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return { runs, seconds: (performance.now() - begunAt) / 1000 }
}

/** One after the other on an otherwise empty queue, at random times, so that they are not in step with a contender that polls. */
async function measureWaits(
  enqueue: (begun: () => void) => Promise<unknown>,
  { samples, maxPauseMs }: { readonly samples: number; readonly maxPauseMs: number },
): Promise<number[]> {
  const waitsMs: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    await delay(Math.random() * maxPauseMs)
    const begun = Promise.withResolvers<number>()
    const askedAt = performance.now()
    await enqueue(() => begun.resolve(performance.now() - askedAt))
    waitsMs.push(await begun.promise)
  }
  return waitsMs
}
