import { setImmediate } from 'node:timers/promises'

/** Keeps long work from blocking the event loop: the work calls `rest` when `isDue`. */
export interface Pacer {
  isDue(): boolean
  /** Yields to the event loop. Throws the reason of the signal when it is aborted. */
  rest(): Promise<void>
}

const maxTurnMs = 10

export function createPacer(signal?: AbortSignal): Pacer {
  let turnBeganMs = performance.now()
  return {
    isDue: () => performance.now() - turnBeganMs >= maxTurnMs,
    async rest() {
      await setImmediate()
      signal?.throwIfAborted()
      turnBeganMs = performance.now()
    },
  }
}
