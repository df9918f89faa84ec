import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, RequestRefused } from './open-platform.ts'

/** Something that a normal account does, such as starting an execution and following it to its end. */
export type Operation = (turn: Turn) => Promise<unknown>

/** One measured run of an operation. */
interface Turn {
  /** Aborts at the end of the round. */
  readonly signal: AbortSignal
  /** Sends a request. A refused one is counted and repeated, and the time continues. */
  readonly call: (account: Caller, path: string, body?: object) => Promise<Response>
  /** The time counts from now on. */
  readonly restart: () => void
}

export interface Measured {
  readonly times: readonly number[]
  /** Responses 429 and 503. */
  readonly refused: number
}

/** Operations that end while the abuse begins do not count. */
const leadSeconds = 2
const seconds = Number(process.env['SECONDS'] ?? 5)
/** An operation that has not ended so long after the last one began counts with the time it has taken. */
const graceSeconds = 3
/** So that an account stays below ten requests a second, the limit of routes that read executions. */
const usualPauseMs = 110
const refusedPauseMs = 50

/** Repeats each operation in a loop of its own, with pauses of `pauseMs` to twice as long. */
export async function measureOperations(
  operations: readonly Operation[],
  pauseMs: number = usualPauseMs,
): Promise<Measured> {
  const counted = performance.now() + leadSeconds * 1000
  const end = counted + seconds * 1000
  const signal = AbortSignal.timeout((leadSeconds + seconds + graceSeconds) * 1000)
  const times: number[] = []
  let refused = 0

  const call: Turn['call'] = async (account, path, body) => {
    for (;;) {
      try {
        return await account.call(path, body, signal)
      } catch (error) {
        if (!(error instanceof RequestRefused)) throw error
        refused += 1
        await delay(refusedPauseMs, undefined, { signal })
      }
    }
  }

  async function repeat(operation: Operation, index: number): Promise<void> {
    await delay((pauseMs / operations.length) * index)
    while (performance.now() < end && !signal.aborted) {
      let begin = performance.now()
      const restart = () => {
        begin = performance.now()
      }
      await operation({ signal, call, restart }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      if (performance.now() >= counted) times.push(performance.now() - begin)
      // At random, because some operations wait for a task of the platform that runs at an interval.
      await delay(pauseMs * (1 + Math.random()))
    }
  }

  await Promise.all(operations.map(repeat))
  return { times, refused }
}
