/** An execution at the gate of its flow whose debounce is over. */
export interface GatedExecution {
  readonly id: string
  readonly concurrencyKey: string | null
  readonly throttleKey: string | null
  /** It has run before: it was suspended or recovered, and counts as started already. */
  readonly hasStarted: boolean
}

/** The limits of a flow; null: there is none. Times in milliseconds. */
export interface GateLimits {
  readonly concurrency: number | null
  readonly throttle: { readonly intervalMs: number; readonly burst: number } | null
}

interface GateState {
  /** Open executions by concurrency key. */
  readonly open: ReadonlyMap<string, number>
  /** By throttle key: the time at which one more start would be exactly on schedule. */
  readonly nextAt: ReadonlyMap<string, number>
  readonly now: number
}

interface Openings {
  /** The executions that pass the gate. */
  readonly passed: readonly string[]
  /** The throttles that changed. */
  readonly nextAt: ReadonlyMap<string, number>
  /** When a throttle lets the next one pass; null: no execution waits for a throttle only. */
  readonly dueAt: number | null
}

/**
 * Chooses the executions that pass the gate of their flow now, in the given order. An execution that a limit keeps back does not keep
 * back others with other keys.
 *
 * | limit       | an execution passes while                                                                                      |
 * |-------------|----------------------------------------------------------------------------------------------------------------|
 * | concurrency | fewer executions of its key are open than the limit                                                            |
 * | throttle    | its start is on schedule (GCRA): one per interval, and up to `burst` ahead. In any period, at most limit + burst - 1 start |
 *
 * Pure and total: the caller has locked the gate of the flow, so the state is that of all replicas.
 */
export function chooseOpenings(
  gated: readonly GatedExecution[],
  { concurrency, throttle }: GateLimits,
  state: GateState,
): Openings {
  const open = new Map(state.open)
  const nextAt = new Map<string, number>()
  const passed: string[] = []
  let dueAt: number | null = null

  /** When the throttle of the execution lets it pass; never later than now when it may pass. */
  function throttledUntil({ throttleKey: key, hasStarted }: GatedExecution): number {
    if (throttle === null || key === null || hasStarted) return state.now
    const next = Math.max(nextAt.get(key) ?? state.nextAt.get(key) ?? state.now, state.now)
    const until = next - (throttle.burst - 1) * throttle.intervalMs
    if (until <= state.now) nextAt.set(key, next + throttle.intervalMs)
    return until
  }

  for (const execution of gated) {
    const { id, concurrencyKey: key } = execution
    const count = key === null ? 0 : (open.get(key) ?? 0)
    if (concurrency !== null && key !== null && count >= concurrency) continue
    const until = throttledUntil(execution)
    if (until > state.now) {
      dueAt = Math.min(dueAt ?? until, until)
      continue
    }
    if (key !== null) open.set(key, count + 1)
    passed.push(id)
  }
  return { passed, nextAt, dueAt }
}
