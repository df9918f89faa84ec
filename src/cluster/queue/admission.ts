import { performance } from 'node:perf_hooks'
import type { Failure } from '#kernel/errors'
import type { Balancer, NodeRequirements } from '../balancing/balancer.ts'
import { clusterFailure } from '../errors.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { explainNoNode } from '../requests/explain-no-node.ts'
import { createFairQueue, type FairQueue, type Priority } from './fair-queue.ts'

/** A request for a node. Exactly one of its callbacks is called, once, unless it leaves before. */
interface Arrival {
  readonly requirements: NodeRequirements
  readonly caller: string
  readonly priority: Priority
  /** The node counts the request from now on; `release` ends that. */
  granted(node: TrackedNode, position: number): void
  refused(failure: Failure): void
}

/** Admits requests while nodes have free slots; the others wait in fair queues, one per model. */
export interface Admission extends Disposable {
  enter(arrival: Arrival): void
  /** Removes a waiting request, because its caller left. */
  leave(arrival: Arrival): void
  /** Frees the slot of a finished request. */
  release(node: TrackedNode): void
  depths(): ReadonlyMap<string, number>
}

interface AdmissionOptions {
  readonly registry: NodeRegistry
  readonly balancer: Balancer
  readonly queueLimit: number
  readonly maxWaitMs: number
}

interface Waiting {
  readonly arrival: Arrival
  readonly caller: string
  readonly priority: Priority
  readonly sinceMs: number
  readonly position: number
  readonly alarm: NodeJS.Timeout
}

interface Line {
  readonly model: string
  readonly queue: FairQueue<Waiting>
  /** Average milliseconds between two admitted requests. */
  paceMs: number
  lastGrantMs: number
}

/** After this long a request precedes all others, regardless of priority. */
const patienceMs = 30_000

/** Requests for one node have a queue of their own, so that they do not block those for any node. */
function keyOf({ model, node }: NodeRequirements): string {
  return node === undefined ? model : `${model} on ${node}`
}

export function createAdmission({ registry, balancer, queueLimit, maxWaitMs }: AdmissionOptions): Admission {
  const lines = new Map<string, Line>()
  const positions = new Map<Arrival, { readonly line: Line; readonly waiting: Waiting }>()

  function grant(arrival: Arrival, node: TrackedNode, position: number): void {
    node.load.active += 1
    arrival.granted(node, position)
  }

  function refuse(arrival: Arrival): void {
    arrival.refused(explainNoNode(registry.tracked, arrival.requirements))
  }

  function lineFor(requirements: NodeRequirements): Line {
    const { model } = requirements
    const key = keyOf(requirements)
    const known = lines.get(key)
    if (known !== undefined) return known
    const line = { model, queue: createFairQueue<Waiting>({ patienceMs }), paceMs: 1000, lastGrantMs: 0 }
    lines.set(key, line)
    return line
  }

  function wait(arrival: Arrival): void {
    const line = lineFor(arrival.requirements)
    const { queue } = line
    if (queue.size >= queueLimit) {
      const seconds = Math.min(60, Math.max(1, Math.ceil((queue.size * line.paceMs) / 1000)))
      arrival.refused(
        clusterFailure('queue_full', { retryAfterSeconds: seconds, details: { waiting: queue.size } }),
      )
      return
    }
    const alarm = setTimeout(() => {
      depart(arrival)
      arrival.refused(clusterFailure('waited_too_long', { retryAfterSeconds: 5 }))
    }, maxWaitMs)
    const { caller, priority } = arrival
    const waiting = { arrival, caller, priority, sinceMs: performance.now(), position: 0, alarm }
    queue.add(waiting)
    waiting.position = queue.positionOf(waiting)
    positions.set(arrival, { line, waiting })
  }

  function depart(arrival: Arrival): void {
    const entry = positions.get(arrival)
    if (entry === undefined) return
    clearTimeout(entry.waiting.alarm)
    entry.line.queue.remove(entry.waiting)
    positions.delete(arrival)
  }

  /**
   * Admits waiting requests. Queues of loaded models come first, because any other model would evict one; a queue whose oldest request
   * has waited for `patienceMs` precedes them.
   */
  function admitWaiting(): void {
    if (positions.size === 0) return
    const nowMs = performance.now()
    const rankOf = ({ model, queue }: Line): number => {
      if (nowMs - (queue.oldest()?.sinceMs ?? nowMs) >= patienceMs) return 0
      return registry.tracked.some((node) => node.isReady && node.hasLoaded(model)) ? 1 : 2
    }
    for (const line of [...lines.values()].toSorted((left, right) => rankOf(left) - rankOf(right)))
      serve(line)
    for (const [key, { queue }] of lines) if (queue.size === 0) lines.delete(key)
  }

  function serve(line: Line): void {
    for (;;) {
      const nowMs = performance.now()
      const next = line.queue.peek(nowMs)
      if (next === undefined) return
      const choice = balancer.choose(next.arrival.requirements)
      if (choice.kind === 'busy') return
      line.queue.take(next)
      clearTimeout(next.alarm)
      positions.delete(next.arrival)
      if (choice.kind === 'none') {
        refuse(next.arrival)
        continue
      }
      if (line.lastGrantMs > 0) line.paceMs += 0.2 * (nowMs - line.lastGrantMs - line.paceMs)
      line.lastGrantMs = nowMs
      grant(next.arrival, choice.node, next.position)
    }
  }

  const stopListening = registry.changes.subscribe(admitWaiting)
  return {
    enter(arrival) {
      // A new request must not overtake the waiting ones.
      if (positions.size > 0 && (lines.get(keyOf(arrival.requirements))?.queue.size ?? 0) > 0) {
        wait(arrival)
        return
      }
      const choice = balancer.choose(arrival.requirements)
      if (choice.kind === 'none') refuse(arrival)
      else if (choice.kind === 'busy') wait(arrival)
      else grant(arrival, choice.node, 0)
    },
    leave: depart,
    release(node) {
      node.load.active -= 1
      admitWaiting()
    },
    depths: () => new Map([...lines].map(([key, { queue }]) => [key, queue.size])),
    [Symbol.dispose]() {
      stopListening()
      for (const arrival of positions.keys()) depart(arrival)
    },
  }
}
