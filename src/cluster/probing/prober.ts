import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Logger } from '#kernel/telemetry'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { createLimiter } from './limiter.ts'
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
}

const mostAtOnce = 16

/** The one who looks after an address, until it is let go. */
interface Watch {
  readonly ended: Promise<void>
  wake(): void
  end(): void
}

/** Looks at every address again and again: one probe of a node at a time, different nodes side by side. */
export function createProber(options: ProberOptions): Prober {
  const { registry, intervalMs, timeoutMs, via, onResult, log } = options
  const stopping = new AbortController()
  const firstRound = Promise.withResolvers<void>()
  const unseen = new Set(registry.tracked)
  const inTurn = createLimiter(mostAtOnce)
  const watches = new Map<TrackedNode, Watch>()
  let agent: Dispatcher | undefined

  async function examine(node: TrackedNode, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
    registry.update(node, () => node.tick(performance.now()))
    // A timer may fire a moment early; the pause is not over then, and an answer would not count.
    if (signal.aborted || node.health.status === 'unhealthy') return
    const result = await askNode(node.url, { dispatcher, timeoutMs, signal, via })
    if (signal.aborted) return
    registry.update(node, () => node.observe(result, performance.now()))
    onResult(node, result)
  }

  function seen(node: TrackedNode): void {
    if (unseen.delete(node) && unseen.size === 0) firstRound.resolve()
  }

  function watch(node: TrackedNode, dispatcher: Dispatcher): Watch {
    const letGo = new AbortController()
    const signal = AbortSignal.any([letGo.signal, stopping.signal])
    let waking: AbortController | undefined

    async function look(): Promise<void> {
      while (!signal.aborted) {
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
      let woken = true
      while (woken && !signal.aborted) {
        const rousing = new AbortController()
        const rouse = () => rousing.abort()
        waking = rousing
        signal.addEventListener('abort', rouse)
        woken = await rest(delayBefore(node, intervalMs), rousing.signal)
        signal.removeEventListener('abort', rouse)
      }
    }

    return { ended: look(), wake: () => waking?.abort(), end: () => letGo.abort() }
  }

  registry.watchWith({
    added(node) {
      if (agent !== undefined && !stopping.signal.aborted) watches.set(node, watch(node, agent))
    },
    removed(node) {
      watches.get(node)?.end()
      watches.delete(node)
      seen(node)
    },
    disturbed: (node) => watches.get(node)?.wake(),
  })

  return {
    firstRound: firstRound.promise,
    firstRoundIsDone: () => agent !== undefined && unseen.size === 0,
    start() {
      if (agent !== undefined) throw new Error('the prober was started before')
      agent = createProbeAgent()
      if (unseen.size === 0) firstRound.resolve()
      for (const node of registry.tracked) watches.set(node, watch(node, agent))
    },
    async stop() {
      stopping.abort()
      await Promise.all([...watches.values()].map(({ ended }) => ended))
      await agent?.destroy()
    },
  }
}

/** Spread by a tenth, so that many clusters do not ask in step. A pause is never cut short. */
function delayBefore({ health }: TrackedNode, intervalMs: number): number {
  const spread = Math.random() / 5
  if (health.status === 'unhealthy')
    return Math.max(0, health.resumeAtMs - performance.now()) * (1 + spread / 2)
  // A node that just came back is asked again soon: the second good answer puts it to work.
  const usualMs = health.status === 'probing' ? intervalMs / 10 : intervalMs
  return usualMs * (0.9 + spread)
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
