import type { Logger } from '#kernel/telemetry'
import type { NodeRecord } from './node-record.ts'

/** A change of a node: added, changed or removed. */
export type NodeChange =
  | { readonly kind: 'changed'; readonly node: NodeRecord; readonly before: NodeRecord | undefined }
  | { readonly kind: 'removed'; readonly node: NodeRecord }

/** The events of a subscriber: first all nodes, then each change. */
export type NodeEvent = { readonly kind: 'all'; readonly nodes: readonly NodeRecord[] } | NodeChange

export type ChangeListener = (change: NodeChange) => void

export interface ChangeFeed {
  publish(change: NodeChange): void
  /** Returns a function that unsubscribes. */
  subscribe(listener: ChangeListener): () => void
  /** No change is lost between the list and the changes. A slow reader gets only the last change of each node, which bounds the memory. */
  follow(signal: AbortSignal): AsyncIterable<NodeEvent>
}

interface ChangeFeedOptions {
  readonly log: Logger
  readonly nodes: () => readonly NodeRecord[]
}

export function createChangeFeed({ log, nodes }: ChangeFeedOptions): ChangeFeed {
  const listeners = new Set<ChangeListener>()

  function subscribe(listener: ChangeListener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return {
    subscribe,
    publish(change) {
      for (const listener of listeners) {
        try {
          listener(change)
        } catch (error) {
          log.error({ err: error }, 'listener of node changes failed')
        }
      }
    },
    async *follow(signal) {
      const waiting = new Map<string, NodeChange>()
      let arrival = Promise.withResolvers<void>()
      const wake = () => arrival.resolve()
      const unsubscribe = subscribe((change) => {
        waiting.delete(change.node.id)
        waiting.set(change.node.id, change)
        wake()
      })
      signal.addEventListener('abort', wake)
      try {
        yield { kind: 'all', nodes: nodes() }
        while (!signal.aborted) {
          const [next] = waiting.values()
          if (next === undefined) {
            arrival = Promise.withResolvers()
            await arrival.promise
          } else {
            waiting.delete(next.node.id)
            yield next
          }
        }
      } finally {
        signal.removeEventListener('abort', wake)
        unsubscribe()
      }
    },
  }
}
