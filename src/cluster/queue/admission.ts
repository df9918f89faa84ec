import { performance } from 'node:perf_hooks'
import type { Failure } from '#kernel/errors'
import type { Balancer, Wish } from '../balancing/balancer.ts'
import { clusterFailure } from '../errors.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { explainNobody } from '../requests/explain-nobody.ts'
import { createFairQueue, type FairQueue, type Priority } from './fair-queue.ts'

/** A request at the door. Exactly one of its callbacks is called, once, unless it leaves before. */
interface Arrival {
  readonly wish: Wish
  readonly caller: string
  readonly priority: Priority
  /** The node counts the request from now on; `release` ends that. */
  granted(node: TrackedNode, position: number): void
  refused(failure: Failure): void
}

/** Lets requests in as nodes have a hand free; the others wait, in fair turn. */
export interface Admission extends Disposable {
  enter(arrival: Arrival): void
  /** Whoever waits no longer wants to. */
  leave(arrival: Arrival): void
  /** The node has done with a request. */
  release(node: TrackedNode): void
  depths(): ReadonlyMap<string, number>
}

interface AdmissionOptions {
  readonly registry: NodeRegistry
  readonly balancer: Balancer
  readonly queueLimit: number
  readonly mostWaitMs: number
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
  /** Milliseconds between two who were let in, on average. */
  paceMs: number
  lastGrantMs: number
}

/** After this long a request goes before all others, however urgent they are. */
const patienceMs = 30_000

/** A request for one node only must not hold up those that can go anywhere. */
function keyOf({ model, node }: Wish): string {
  return node === undefined ? model : `${model} on ${node}`
}

export function createAdmission({ registry, balancer, queueLimit, mostWaitMs }: AdmissionOptions): Admission {
  const lines = new Map<string, Line>()
  const places = new Map<Arrival, { readonly line: Line; readonly waiting: Waiting }>()

  function grant(arrival: Arrival, node: TrackedNode, position: number): void {
    node.load.active += 1
    arrival.granted(node, position)
  }

  function refuse(arrival: Arrival): void {
    arrival.refused(explainNobody(registry.tracked, arrival.wish))
  }

  function lineFor(wish: Wish): Line {
    const { model } = wish
    const key = keyOf(wish)
    const known = lines.get(key)
    if (known !== undefined) return known
    const line = { model, queue: createFairQueue<Waiting>({ patienceMs }), paceMs: 1000, lastGrantMs: 0 }
    lines.set(key, line)
    return line
  }

  function wait(arrival: Arrival): void {
    const line = lineFor(arrival.wish)
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
    }, mostWaitMs)
    const { caller, priority } = arrival
    const waiting = { arrival, caller, priority, sinceMs: performance.now(), position: 0, alarm }
    queue.add(waiting)
    waiting.position = queue.positionOf(waiting)
    places.set(arrival, { line, waiting })
  }

  function depart(arrival: Arrival): void {
    const place = places.get(arrival)
    if (place === undefined) return
    clearTimeout(place.waiting.alarm)
    place.line.queue.remove(place.waiting)
    places.delete(arrival)
  }

  /**
   * Lets in whom it can. Models that are in memory somewhere go first, since another would have to be thrown out for the
   * rest; but a line where somebody has lost patience goes before them.
   */
  function letIn(): void {
    if (places.size === 0) return
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
      const choice = balancer.choose(next.arrival.wish)
      if (choice.kind === 'busy') return
      line.queue.take(next)
      clearTimeout(next.alarm)
      places.delete(next.arrival)
      if (choice.kind === 'nobody') {
        refuse(next.arrival)
        continue
      }
      if (line.lastGrantMs > 0) line.paceMs += 0.2 * (nowMs - line.lastGrantMs - line.paceMs)
      line.lastGrantMs = nowMs
      grant(next.arrival, choice.node, next.position)
    }
  }

  const stopListening = registry.changes.subscribe(letIn)
  return {
    enter(arrival) {
      // Nobody overtakes those who wait already.
      if (places.size > 0 && (lines.get(keyOf(arrival.wish))?.queue.size ?? 0) > 0) {
        wait(arrival)
        return
      }
      const choice = balancer.choose(arrival.wish)
      if (choice.kind === 'nobody') refuse(arrival)
      else if (choice.kind === 'busy') wait(arrival)
      else grant(arrival, choice.node, 0)
    },
    leave: depart,
    release(node) {
      node.load.active -= 1
      letIn()
    },
    depths: () => new Map([...lines].map(([key, { queue }]) => [key, queue.size])),
    [Symbol.dispose]() {
      stopListening()
      for (const arrival of places.keys()) {
        depart(arrival)
        arrival.refused(clusterFailure('no_healthy_node', { message: 'the cluster is stopping' }))
      }
    },
  }
}
