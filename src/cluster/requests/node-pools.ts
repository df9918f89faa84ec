import { Pool } from 'undici'
import type { TrackedNode } from '../nodes/tracked-node.ts'

/** The connections requests are made with: as many as there are requests, kept for the next ones. */
export interface NodePools extends AsyncDisposable {
  of(node: TrackedNode): NodeRoute
  /** The node is gone: what is under way may end, new connections are not made. */
  drop(node: TrackedNode): void
}

interface NodeRoute {
  readonly pool: Pool
  /** The path of the node's own address, in front of the runtime's. */
  readonly prefix: string
}

const connectTimeoutMs = 5000

export function createNodePools(): NodePools {
  const routes = new Map<TrackedNode, NodeRoute>()
  return {
    of(node) {
      const known = routes.get(node)
      if (known !== undefined) return known
      const { origin, pathname } = new URL(node.url)
      // Loading a model may take minutes: the attempt has its own clocks, which know what a node is doing.
      const pool = new Pool(origin, {
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: { timeout: connectTimeoutMs },
      })
      const route = { pool, prefix: pathname.replace(/\/$/, '') }
      routes.set(node, route)
      return route
    },
    drop(node) {
      const route = routes.get(node)
      routes.delete(node)
      void route?.pool.close()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...routes.values()].map(({ pool }) => pool.destroy()))
      routes.clear()
    },
  }
}
