import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Logger } from '#kernel/telemetry'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { createLimiter } from './limiter.ts'
import { delayBeforeProbe } from './probe-delay.ts'
import { askNode, createProbeAgent, type ProbeResult } from './probe-node.ts'

export interface ProberOptions {
  readonly registry: NodeRegistry
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly via: string
  readonly onResult: (node: TrackedNode, result: ProbeResult) => void
  readonly log: Logger
}

export interface Prober {
  start(): void
  /** Gives up running probes and closes every connection. */
  stop(): Promise<void>
  /** Resolves when every address has been asked once since the start. */
  readonly firstRound: Promise<void>
  firstRoundIsDone(): boolean
  /** The first round waits for this source to name its nodes, until what is returned is called. */
  awaitSource(): () => void
}

const mostAtOnce = 16

/** The one who looks after an address, until it is let go. */
interface Watch {
  readonly ended: Promise<void>
  wake(): void
  /** Looks at once. */
  hurry(): void
  end(): void
}

/** Looks at every address again and again: one probe of a node at a time, different nodes side by side. */
export function createProber(options: ProberOptions): Prober {
  const { registry, intervalMs, timeoutMs, via, onResult, log } = options
  const stopping = new AbortController()
  const firstRound = Promise.withResolvers<void>()
  /** Who has to be heard before the first round is over: nodes, and sources that name more of them. */
  const unseen = new Set<TrackedNode | symbol>(registry.tracked)
  const inTurn = createLimiter(mostAtOnce)
  const watches = new Map<TrackedNode, Watch>()
  let agent: Dispatcher | undefined
  let isFirstRound = true

  async function examine(node: TrackedNode, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
    registry.update(node, () => node.tick(performance.now()))
    // A timer may fire a moment early; the pause is not over then, and an answer would not count.
    if (signal.aborted || node.health.status === 'unhealthy') return
    const result = await askNode(node.url, { dispatcher, timeoutMs, signal, via })
    if (signal.aborted) return
    registry.update(node, () => node.observe(result, performance.now()))
    onResult(node, result)
  }

  function seen(who: TrackedNode | symbol): void {
    if (unseen.delete(who)) endFirstRound()
  }

  function endFirstRound(): void {
    if (agent === undefined || unseen.size > 0) return
    isFirstRound = false
    firstRound.resolve()
  }

  function watch(node: TrackedNode, dispatcher: Dispatcher): Watch {
    const letGo = new AbortController()
    const signal = AbortSignal.any([letGo.signal, stopping.signal])
    let waking: AbortController | undefined
    let isDue = false

    async function look(): Promise<void> {
      while (!signal.aborted) {
        isDue = false
        try {
          await inTurn(() => examine(node, dispatcher, signal))
        } catch (error) {
          log.error({ err: error, node: node.id }, 'a probe could not be taken in')
        }
        seen(node)
        await restUntilDue()
      }
    }

    /** Whoever is woken looks at the plan again: the node is not as it was when it was made. */
    async function restUntilDue(): Promise<void> {
      let isResting = !isDue
      while (isResting && !signal.aborted) {
        const rousing = new AbortController()
        const rouse = () => rousing.abort()
        waking = rousing
        signal.addEventListener('abort', rouse)
        const chance = Math.random()
        const delayMs = delayBeforeProbe(node.health, { intervalMs, nowMs: performance.now(), chance })
        const wokenEarly = await rest(delayMs, rousing.signal)
        isResting = wokenEarly && !isDue
        signal.removeEventListener('abort', rouse)
      }
    }

    const hurry = () => {
      isDue = true
      waking?.abort()
    }
    return { ended: look(), wake: () => waking?.abort(), hurry, end: () => letGo.abort() }
  }

  registry.watchWith({
    added(node) {
      if (isFirstRound) unseen.add(node)
      if (agent !== undefined && !stopping.signal.aborted) watches.set(node, watch(node, agent))
    },
    removed(node) {
      watches.get(node)?.end()
      watches.delete(node)
      seen(node)
    },
    disturbed: (node) => watches.get(node)?.wake(),
    wanted: (node) => watches.get(node)?.hurry(),
  })

  return {
    firstRound: firstRound.promise,
    firstRoundIsDone: () => !isFirstRound,
    awaitSource() {
      const source = Symbol('source')
      unseen.add(source)
      return () => seen(source)
    },
    start() {
      if (agent !== undefined) throw new Error('the prober was started before')
      agent = createProbeAgent()
      endFirstRound()
      for (const node of registry.tracked) watches.set(node, watch(node, agent))
    },
    async stop() {
      stopping.abort()
      await Promise.all([...watches.values()].map(({ ended }) => ended))
      await agent?.destroy()
    },
  }
}

/** Answers whether the rest was cut short. */
async function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal })
    return false
  } catch (error) {
    if (!signal.aborted) throw error
    return true
  }
}
