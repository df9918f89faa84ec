/**
 * Bounds the attempts in flight to one receiver and for one account, so that no account occupies all delivery slots of the process. A
 * receiver is an origin as one account calls it: every callback is a webhook of its own, and thousands of them can name one server.
 *
 * | receiver                                                 | its attempts at once                     | those of its account                        |
 * |----------------------------------------------------------|------------------------------------------|---------------------------------------------|
 * | quick: the last one took less than 2 s, none lasts longer | as its account                           | four fifths of the slots                    |
 * | unknown or slow                                          | 4                                        | a quarter of the slots, to all such receivers |
 */
export interface SlowReceiverLimiter {
  enter(receiver: Receiver): Permit | Refusal
}

interface Receiver {
  readonly accountId: string
  readonly url: string
}

export interface Permit {
  /** To be called when the attempt has ended. */
  readonly leave: () => void
}

/** Too many attempts are in flight. */
export interface Refusal {
  readonly retryInMs: number
}

interface SlowReceiverLimiterOptions {
  /** Deliveries that this process has in flight at once. */
  readonly slots: number
  readonly now?: () => number
}

const slowMs = 2000
const maxUnproven = 4
/** An unknown receiver is known after 2 s at the latest; a slow one stays slow for longer. */
const retryMs = { soon: 100, later: 5000 } as const
/** Beyond this, the receiver that responded longest ago is removed. */
const maxKnown = 10_000

export function createSlowReceiverLimiter({
  slots,
  now = () => performance.now(),
}: SlowReceiverLimiterOptions): SlowReceiverLimiter {
  const accountSlots = Math.max(1, Math.floor((slots * 4) / 5))
  const unprovenSlots = Math.max(1, Math.floor(slots / 4))
  /** By account, then by origin: when the attempts in flight began, the oldest first. */
  const inFlight = new Map<string, Map<string, Set<{ readonly startedAt: number }>>>()
  /** Of receivers that have responded or timed out. */
  const speeds = new Map<string, 'quick' | 'slow'>()

  function speedOf(accountId: string, origin: string): 'quick' | 'slow' | 'unknown' {
    const [oldest] = inFlight.get(accountId)?.get(origin) ?? []
    if (oldest !== undefined && now() - oldest.startedAt >= slowMs) return 'slow'
    return speeds.get(keyOf(accountId, origin)) ?? 'unknown'
  }

  function isFull(accountId: string, origin: string): boolean {
    const origins = [...(inFlight.get(accountId) ?? [])]
    if (sizeOf(origins) >= accountSlots) return true
    if (speedOf(accountId, origin) === 'quick') return false
    const unproven = origins.filter(([other]) => speedOf(accountId, other) !== 'quick')
    const ofOrigin = unproven.filter(([other]) => other === origin)
    return sizeOf(ofOrigin) >= maxUnproven || sizeOf(unproven) >= unprovenSlots
  }

  function classify(accountId: string, origin: string, durationMs: number): void {
    const key = keyOf(accountId, origin)
    speeds.delete(key)
    speeds.set(key, durationMs < slowMs ? 'quick' : 'slow')
    const [oldest] = speeds.keys()
    if (speeds.size > maxKnown && oldest !== undefined) speeds.delete(oldest)
  }

  return {
    enter({ accountId, url }) {
      const { origin } = new URL(url)
      if (isFull(accountId, origin)) {
        const pauseMs = speedOf(accountId, origin) === 'slow' ? retryMs.later : retryMs.soon
        return { retryInMs: pauseMs * (1 + Math.random()) }
      }
      const attempt = { startedAt: now() }
      const origins = inFlight.get(accountId) ?? new Map()
      const attempts = origins.get(origin) ?? new Set()
      inFlight.set(accountId, origins.set(origin, attempts.add(attempt)))
      return {
        leave() {
          attempts.delete(attempt)
          if (attempts.size === 0) origins.delete(origin)
          if (origins.size === 0) inFlight.delete(accountId)
          classify(accountId, origin, now() - attempt.startedAt)
        },
      }
    },
  }
}

function keyOf(accountId: string, origin: string): string {
  return `${accountId} ${origin}`
}

function sizeOf(origins: readonly (readonly [string, ReadonlySet<unknown>])[]): number {
  return origins.reduce((sum, [, attempts]) => sum + attempts.size, 0)
}
