/**
 * Work in steps, which leaves the event loop to others between them. In each iteration of the loop one owner continues for about a
 * millisecond, and the owners take turns: many long bodies of one account delay other requests no more than one does. The work of
 * one owner is done in the order of its arrival.
 */
export interface LoopTurns {
  /** Runs a generator, which may be paused at every `yield`. Resolves with its result, or throws what it throws. */
  run<Result>(owner: string, work: Generator<undefined, Result>): Promise<Result>
}

interface Job {
  /** Returns whether the work has ended. */
  readonly step: () => boolean
}

const turnMs = 1

export function createLoopTurns(): LoopTurns {
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, Job[]>()

  function takeTurn(): void {
    const [next] = waiting
    if (next === undefined) return
    const [owner, jobs] = next
    waiting.delete(owner)
    const untilMs = performance.now() + turnMs
    let isDone = false
    while (!isDone && performance.now() < untilMs) isDone = jobs[0]?.step() ?? true
    if (isDone) jobs.shift()
    if (jobs.length > 0) waiting.set(owner, jobs)
    if (waiting.size > 0) setImmediate(takeTurn)
  }

  return {
    run<Result>(owner: string, work: Generator<undefined, Result>): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const job: Job = {
        step() {
          try {
            const { done, value } = work.next()
            if (done === true) resolve(value)
            return done === true
          } catch (error) {
            reject(error)
            return true
          }
        },
      }
      const jobs = waiting.get(owner)
      if (jobs !== undefined) jobs.push(job)
      else {
        waiting.set(owner, [job])
        if (waiting.size === 1) setImmediate(takeTurn)
      }
      return promise
    },
  }
}
