/**
 * Remembers which requests exceeded the quantum of the short queue, so that they no longer begin in it.
 *
 * | a request                              | then                                                                        |
 * |----------------------------------------|-----------------------------------------------------------------------------|
 * | exceeds the quantum                    | the same expression of the account begins in the long queue for a minute     |
 * | and was stopped, which costs a thread  | so do all requests of the account, for 1 s, and twice as long at each further stop, up to a minute |
 * | ends within the quantum in the long queue | its expression begins in the short queue again                             |
 */
export interface Overruns {
  add(accountId: string, expression: string): void
  addStop(accountId: string): void
  remove(accountId: string, expression: string): void
  /** Whether a request is expected to exceed the quantum. */
  expects(accountId: string, expression: string): boolean
}

const rememberedMs = 60_000
const firstPauseMs = 1000
/** Of expressions and of accounts. The oldest are forgotten. */
const maxRemembered = 1000

export function createOverruns(now: () => number = () => performance.now()): Overruns {
  /** By account and expression, until when. */
  const expressions = new Map<string, number>()
  const stops = new Map<string, { readonly pauseMs: number; readonly atMs: number }>()

  return {
    add: (accountId, expression) => remember(expressions, keyOf(accountId, expression), now() + rememberedMs),
    addStop(accountId) {
      const last = stops.get(accountId)
      const isRecent = last !== undefined && now() < last.atMs + last.pauseMs + rememberedMs
      const pauseMs = isRecent ? Math.min(rememberedMs, 2 * last.pauseMs) : firstPauseMs
      remember(stops, accountId, { pauseMs, atMs: now() })
    },
    remove: (accountId, expression) => void expressions.delete(keyOf(accountId, expression)),
    expects(accountId, expression) {
      const stop = stops.get(accountId)
      if (stop !== undefined && now() < stop.atMs + stop.pauseMs) return true
      return now() < (expressions.get(keyOf(accountId, expression)) ?? 0)
    },
  }
}

function keyOf(accountId: string, expression: string): string {
  return `${accountId} ${expression}`
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
}
