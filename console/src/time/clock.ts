import { createContext, use, useSyncExternalStore } from 'react'

export interface Clock {
  readonly now: () => Date
  readonly subscribe: (onTick: () => void) => () => void
}

/** Creates one timer for all relative times on the page; it stops without subscribers. */
export function createClock(intervalMs = 1_000): Clock {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    now: () => new Date(),
    subscribe(onTick) {
      listeners.add(onTick)
      timer ??= setInterval(() => {
        for (const listener of listeners) listener()
      }, intervalMs)
      return () => {
        listeners.delete(onTick)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

const ClockContext = createContext<Clock | undefined>(undefined)

export const ClockProvider = ClockContext.Provider

/** A text that depends on the current time; the component renders again only when the text changes. */
export function useTimedText(describe: (now: Date) => string): string {
  const clock = use(ClockContext)
  if (clock === undefined) throw new Error('useTimedText needs a ClockProvider above it')
  return useSyncExternalStore(clock.subscribe, () => describe(clock.now()))
}
