import type { Platform } from './platform.ts'

export interface TourEvent {
  readonly event: 'view' | 'start' | 'step_view' | 'step_complete' | 'step_missing' | 'complete' | 'dismiss'
  readonly play: string
  readonly step_id?: string
  readonly at: string
  /** Seconds spent on the step, or on the whole play. */
  readonly duration?: number
}

/** Collects events and sends them in batches, and the rest when the page is left. */
export interface Reporter {
  add(tour: string, event: TourEvent): void
  flush(): void
}

const collectMs = 5_000
/** The platform's limit for one request. */
const batchSize = 50
/** The maximum number of queued events of a tour while the platform is unreachable; the oldest are dropped. */
const maxQueued = 200

/** Events that the platform did not accept are sent again; the platform counts duplicates once. */
export function createReporter(platform: Platform): Reporter {
  const waiting = new Map<string, TourEvent[]>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const [tour, events] of waiting) {
      for (let first = 0; first < events.length; first += batchSize) {
        void send(tour, events.slice(first, first + batchSize))
      }
    }
    waiting.clear()
  }

  async function send(tour: string, events: TourEvent[]): Promise<void> {
    const retryAfterMs = await platform.sendEvents(tour, events)
    if (retryAfterMs === undefined) return
    waiting.set(tour, [...events, ...(waiting.get(tour) ?? [])].slice(-maxQueued))
    clearTimeout(timer)
    timer = setTimeout(flush, Math.max(retryAfterMs, collectMs))
  }

  window.addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush()
  })
  return {
    add(tour, event) {
      waiting.set(tour, [...(waiting.get(tour) ?? []), event])
      timer ??= setTimeout(flush, collectMs)
    },
    flush,
  }
}
