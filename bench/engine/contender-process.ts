import { setTimeout as delay } from 'node:timers/promises'

/** A contender runs in a process of its own; this is what the benchmark asks of it. */
export type Question =
  | {
      readonly kind: 'throughput'
      readonly way: string
      readonly concurrency: number
      readonly forMs: number
    }
  | { readonly kind: 'waits'; readonly samples: number; readonly mostPauseMs: number }
  | { readonly kind: 'end' }

export interface Ready {
  /** Of the program that keeps its data, when that is not the PostgreSQL of all. */
  readonly serverPid?: number | undefined
}

export interface Throughput {
  readonly runs: number
  readonly seconds: number
}

export type Answer = Throughput | { readonly waitsMs: readonly number[] } | { readonly error: string }

/** Runs one execution to its end, by the name of the way it is started. */
type Ways = Readonly<Record<string, () => Promise<unknown>>>

interface ContenderProcess {
  readonly ways: Ways
  /** Adds an execution to the queue; calls back when its first step begins. */
  readonly enqueue: (begun: () => void) => Promise<unknown>
  readonly serverPid?: number | undefined
  readonly close: () => Promise<void>
}

/** Answers the benchmark until it has enough. */
export function serveBenchmark({ ways, enqueue, serverPid, close }: ContenderProcess): void {
  async function answer(question: Exclude<Question, { kind: 'end' }>): Promise<Answer> {
    if (question.kind === 'waits') return { waitsMs: await measureWaits(enqueue, question) }
    const run = ways[question.way]
    if (run === undefined) throw new Error(`there is no way "${question.way}"`)
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

/** Executions side by side, each followed by the next, until the time is over and all have ended. */
async function measureThroughput(
  run: () => Promise<unknown>,
  { concurrency, forMs }: { readonly concurrency: number; readonly forMs: number },
): Promise<Throughput> {
  const begunAt = performance.now()
  let runs = 0
  const lane = async () => {
    while (performance.now() - begunAt < forMs) {
      await run()
      runs += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return { runs, seconds: (performance.now() - begunAt) / 1000 }
}

/** One after the other, on a queue that is empty otherwise; at no certain moment, because whoever polls must not be met in step. */
async function measureWaits(
  enqueue: (begun: () => void) => Promise<unknown>,
  { samples, mostPauseMs }: { readonly samples: number; readonly mostPauseMs: number },
): Promise<number[]> {
  const waitsMs: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    await delay(Math.random() * mostPauseMs)
    const begun = Promise.withResolvers<number>()
    const askedAt = performance.now()
    await enqueue(() => begun.resolve(performance.now() - askedAt))
    waitsMs.push(await begun.promise)
  }
  return waitsMs
}
