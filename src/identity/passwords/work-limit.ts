import { kernelFailure } from '#kernel/errors'

export interface WorkLimitOptions {
  readonly parallel: number
  readonly waiting: number
}

export interface WorkLimit {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  readonly waiting: number
}

/** Runs a few pieces of work at a time and lets a few wait; whoever comes after that is told at once. */
export function createWorkLimit({ parallel, waiting }: WorkLimitOptions): WorkLimit {
  const queue: (() => void)[] = []
  let running = 0

  async function takeTurn(): Promise<void> {
    if (running < parallel) {
      running += 1
      return
    }
    if (queue.length >= waiting) throw kernelFailure('overloaded', { retryAfterSeconds: 2 })
    // Whoever finishes hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function passTurn(): void {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    get waiting() {
      return queue.length
    },
    async run(work) {
      await takeTurn()
      try {
        return await work()
      } finally {
        passTurn()
      }
    },
  }
}
