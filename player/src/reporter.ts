import type { Platform } from './platform.ts'

export interface TourEvent {
  readonly event: 'view' | 'start' | 'step_view' | 'step_complete' | 'complete' | 'dismiss'
  readonly play: string
  readonly step_id?: string
  readonly at: string
  /** Seconds: of the step, or of the whole play at its end. */
  readonly duration?: number
}

/** Collects what happens and tells it in batches, the rest when the page is left. */
export interface Reporter {
  add(tour: string, event: TourEvent): void
  flush(): void
}

const collectMs = 5_000
/** As many as the platform takes at once. */
const batchSize = 50
/** Of a tour whose platform takes nothing for long; the oldest go. */
const mostKept = 200

/** What the platform did not take is told again when it may be; it counts what it hears twice once. */
export function createReporter(platform: Platform): Reporter {
  const waiting = new Map<string, TourEvent[]>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const [tour, events] of waiting) {
      for (let first = 0; first < events.length; first += batchSize) {
        void tell(tour, events.slice(first, first + batchSize))
      }
    }
    waiting.clear()
  }

  async function tell(tour: string, events: TourEvent[]): Promise<void> {
    const againAfterMs = await platform.tell(tour, events)
    if (againAfterMs === undefined) return
    waiting.set(tour, [...events, ...(waiting.get(tour) ?? [])].slice(-mostKept))
    clearTimeout(timer)
    timer = setTimeout(flush, Math.max(againAfterMs, collectMs))
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
