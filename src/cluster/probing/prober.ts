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

/** Looks at every address again and again: one probe of a node at a time, different nodes side by side. */
export function createProber({ registry, intervalMs, timeoutMs, onResult, log }: ProberOptions): Prober {
  const stopping = new AbortController()
  const { signal } = stopping
  const firstRound = Promise.withResolvers<void>()
  const unseen = new Set(registry.tracked)
  const inTurn = createLimiter(mostAtOnce)
  let running: { readonly agent: Dispatcher; readonly watches: readonly Promise<void>[] } | undefined

  async function examine(node: TrackedNode, dispatcher: Dispatcher): Promise<void> {
    registry.update(node, () => node.tick(performance.now()))
    // A timer may fire a moment early; the pause is not over then, and an answer would not count.
    if (signal.aborted || node.health.status === 'unhealthy') return
    const result = await askNode(node.url, { dispatcher, timeoutMs, signal })
    if (signal.aborted) return
    registry.update(node, () => node.observe(result, performance.now()))
    onResult(node, result)
  }

  async function watch(node: TrackedNode, dispatcher: Dispatcher, onFirst: () => void): Promise<void> {
    while (!signal.aborted) {
      try {
        await inTurn(() => examine(node, dispatcher))
      } catch (error) {
        log.error({ err: error, node: node.id }, 'a probe could not be taken in')
      }
      onFirst()
      await rest(delayBefore(node, intervalMs), signal)
    }
  }

  return {
    firstRound: firstRound.promise,
    firstRoundIsDone: () => running !== undefined && unseen.size === 0,
    start() {
      if (running !== undefined) throw new Error('the prober was started before')
      const agent = createProbeAgent()
      if (unseen.size === 0) firstRound.resolve()
      const watches = registry.tracked.map((node) =>
        watch(node, agent, () => {
          if (unseen.delete(node) && unseen.size === 0) firstRound.resolve()
        }),
      )
      running = { agent, watches }
    },
    async stop() {
      stopping.abort()
      await Promise.all(running?.watches ?? [])
      await running?.agent.destroy()
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

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
