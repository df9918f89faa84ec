import { setImmediate } from 'node:timers/promises'

/** Keeps long work from holding the event loop: ask whether a rest is due, and take it. */
export interface Pacer {
  isDue(): boolean
  /** Lets everybody else have a turn. Throws the reason of the signal when it was aborted meanwhile. */
  rest(): Promise<void>
}

const longestTurnMs = 10

export function createPacer(signal?: AbortSignal): Pacer {
  let turnBeganMs = performance.now()
  return {
    isDue: () => performance.now() - turnBeganMs >= longestTurnMs,
    async rest() {
      await setImmediate()
      signal?.throwIfAborted()
      turnBeganMs = performance.now()
    },
  }
}
