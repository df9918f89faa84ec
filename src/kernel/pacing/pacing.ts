import { createLoopLoad } from './loop-load.ts'

/**
 * Finds the owners whose work has to be paced because they use much more of this process than others while it is busy.
 *
 * | state  | when                                                                     | work of a heavy owner                   |
 * |--------|--------------------------------------------------------------------------|-----------------------------------------|
 * | free   | the process is idle for long enough, or no others use it                 | begins at once                          |
 * | paced  | the process was busier than the target in a window                       | begins at a rate, see `take`            |
 *
 * The rate follows the load: it falls with every window above the target, rises with every one below, and ends with the first window in
 * which nothing had to wait. An owner is heavy who uses more than three times the average of all others. So equal owners, however busy, do
 * not slow each other down, and an owner alone has the whole process.
 */
export interface Pacing {
  /** Counts one unit of work, such as a request, that begins. */
  count(owner: string): void
  /** Counts units of work that turn out to be part of one that has begun. While their owner is held, others may not begin in their place. */
  countMore(owner: string, units: number): void
  /** Whether the work of this owner needs a `take` now. */
  isHeld(owner: string): boolean
  /** The owners of whom `isHeld` is true. */
  heldOwners(): string[]
  /** How many units of held owners may begin now, at most `wanted`. */
  take(wanted: number): number
}

interface PacingOptions {
  /** Whether work waits for something beside the processor, such as connections: then the process counts as busy. */
  readonly isContended?: (() => boolean) | undefined
  /** Units that all other owners must have used for an owner to be heavy. One unit a second adds up to 1.5. Below, few would gain. Default: 5. */
  readonly minUseOfOthers?: number
  /** The part of the time in which the processor was busy since the last call, from 0 to 1. Default: that of the event loop. */
  readonly readLoad?: () => number
  readonly now?: () => number
}

const windowMs = 100
/** What an owner used a second ago counts half. */
const decayPerWindow = 0.5 ** (windowMs / 1000)
/** Above it, work waits for other work noticeably. */
const targetLoad = 0.5
const heavyFactor = 3
/** Units a second that held owners may begin at least. */
const minRate = 10
/** How long `take` gives nothing after much work was counted more: not so long that what waits is given up. */
const maxDebtSeconds = 4
const forgottenUse = 0.05

/** Creates the counters of one kind of work. */
export function createPacing({
  isContended = () => false,
  minUseOfOthers = 5,
  readLoad = createLoopLoad(),
  now = () => performance.now(),
}: PacingOptions = {}): Pacing {
  const used = new Map<string, number>()
  let total = 0
  let windowStartMs = now()
  /** Units of held owners that began in this window, and whether some had to wait. */
  let begun = 0
  let mustWait = false
  let rate = Number.POSITIVE_INFINITY
  let tokens = 0
  let tokensAtMs = windowStartMs

  function endWindow(): void {
    const atMs = now()
    const elapsedMs = atMs - windowStartMs
    if (elapsedMs < windowMs) return
    windowStartMs = atMs
    const decay = decayPerWindow ** (elapsedMs / windowMs)
    total = 0
    for (const [owner, use] of used) {
      if (use * decay < forgottenUse) used.delete(owner)
      else {
        used.set(owner, use * decay)
        total += use * decay
      }
    }
    const load = isContended() ? 1 : readLoad()
    const begunPerSecond = (begun * 1000) / elapsedMs
    if (load > targetLoad)
      rate = Math.max(minRate, Math.min(rate, begunPerSecond) * Math.max(0.5, targetLoad / load))
    else if (!mustWait) rate = Number.POSITIVE_INFINITY
    else rate *= 1.1
    begun = 0
    mustWait = false
  }

  const isHeavy = (use: number) => {
    const others = used.size - 1
    return others > 0 && total - use >= minUseOfOthers && use > (heavyFactor * (total - use)) / others
  }

  /** Returns whether the owner is heavy. */
  function add(owner: string, units: number): boolean {
    endWindow()
    const use = (used.get(owner) ?? 0) + units
    used.set(owner, use)
    total += units
    if (!isHeavy(use)) return false
    begun += units
    return true
  }

  return {
    count: (owner) => void add(owner, 1),
    countMore(owner, units) {
      if (add(owner, units) && rate < Number.POSITIVE_INFINITY)
        tokens = Math.max(tokens - units, -rate * maxDebtSeconds)
    },
    isHeld(owner) {
      endWindow()
      return rate < Number.POSITIVE_INFINITY && isHeavy(used.get(owner) ?? 0)
    },
    heldOwners() {
      endWindow()
      if (rate === Number.POSITIVE_INFINITY) return []
      return [...used].filter(([, use]) => isHeavy(use)).map(([owner]) => owner)
    },
    take(wanted) {
      endWindow()
      if (rate === Number.POSITIVE_INFINITY) return wanted
      const atMs = now()
      // A burst is what a twentieth of a second allows.
      tokens = Math.min(Math.max(1, rate / 20), tokens + (rate * (atMs - tokensAtMs)) / 1000)
      tokensAtMs = atMs
      const taken = Math.max(0, Math.min(wanted, Math.floor(tokens)))
      tokens -= taken
      if (taken < wanted) mustWait = true
      return taken
    },
  }
}
