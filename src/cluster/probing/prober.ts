import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Logger } from '#kernel/telemetry'
import type { Health } from '../nodes/health.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { createProbeAgent, fetchFromNode, type ProbeResult } from './probe-node.ts'

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
  /** Aborts running probes and closes all connections. */
  stop(): Promise<void>
  /** Resolves when every address has been probed once since the start. */
  readonly firstRound: Promise<void>
  firstRoundIsDone(): boolean
  /** The first round waits for this source to name its nodes, until the returned function is called. */
  awaitSource(): () => void
}

const maxConcurrentProbes = 16

/** The probe loop of one address. */
interface Watch {
  readonly ended: Promise<void>
  wake(): void
  /** Probes at once. */
  hurry(): void
  end(): void
}

/** Probes every address periodically: one probe per node at a time, different nodes concurrently. */
export function createProber(options: ProberOptions): Prober {
  const { registry, intervalMs, timeoutMs, via, onResult, log } = options
  const stopping = new AbortController()
  const firstRound = Promise.withResolvers<void>()
  /** Nodes and sources that the first round still waits for. */
  const unseen = new Set<TrackedNode | symbol>(registry.tracked)
  const inTurn = createLimiter(maxConcurrentProbes)
  const watches = new Map<TrackedNode, Watch>()
  let agent: Dispatcher | undefined
  let isFirstRound = true

  async function examine(node: TrackedNode, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
    registry.update(node, () => node.tick(performance.now()))
    // A timer may fire a moment early; the pause has not ended then, and the result would not count.
    if (signal.aborted || node.health.status === 'unhealthy') return
    const { runtime: expected, requiredRuntime: required } = node
    const result = await fetchFromNode(node.url, { dispatcher, timeoutMs, signal, via, expected, required })
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
          log.error({ err: error, node: node.id }, 'result of a probe could not be applied')
        }
        seen(node)
        await restUntilDue()
      }
    }

    /** Wakes the probe loop of a node to plan again, because its state has changed. */
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

/** Returns whether the pause was cut short. */
async function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal })
    return false
  } catch (error) {
    if (!signal.aborted) throw error
    return true
  }
}

/** Limits the number of concurrent tasks; the others wait in order. */
export function createLimiter(
  maxConcurrent: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the next waiting probe, so that no other probe can take it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

interface DelayOptions {
  readonly intervalMs: number
  readonly nowMs: number
  /** A random number from 0 to 1 for each delay. */
  readonly chance: number
}

/** Delay until the next probe. Jitter of a tenth keeps many clusters from probing in step; a pause is never shortened. */
export function delayBeforeProbe(health: Health, { intervalMs, nowMs, chance }: DelayOptions): number {
  const spread = chance / 5
  if (health.status === 'unhealthy') return Math.max(0, health.resumeAtMs - nowMs) * (1 + spread / 2)
  // A recovering node is probed again soon: the second success makes it healthy. So is one whose first probes failed.
  const usualMs = health.status === 'healthy' ? intervalMs : intervalMs / 10
  return usualMs * (0.9 + spread)
}
