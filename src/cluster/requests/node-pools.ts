import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { Deadlines } from './deadlines.ts'
import { NodeConnection } from './wire/node-connection.ts'
import { createNodeRoute, type NodeRoute } from './wire/node-route.ts'

/** The connections to nodes: one per concurrent request, kept for later requests. */
export interface NodePools extends Disposable {
  of(node: TrackedNode): NodeRoute
  /** For a removed node: running requests finish, and no connection is kept. */
  drop(node: TrackedNode): void
}

export function createNodePools(
  deadlines: Deadlines,
  { connectMs }: { readonly connectMs?: number } = {},
): NodePools {
  const routes = new Map<TrackedNode, NodeRoute>()
  const connections = new Set<NodeConnection>()
  let isClosed = false

  function createRoute(url: string): NodeRoute {
    return createNodeRoute({
      url,
      open(address, forget) {
        if (isClosed) return undefined
        const onGone = (gone: NodeConnection): void => {
          connections.delete(gone)
          forget(gone)
        }
        const connection = new NodeConnection({ address, deadlines, onGone, connectMs })
        connections.add(connection)
        return connection
      },
    })
  }

  return {
    of(node) {
      const known = routes.get(node)
      if (known !== undefined) return known
      const route = createRoute(node.url)
      routes.set(node, route)
      return route
    },
    drop(node) {
      routes.get(node)?.retire()
      routes.delete(node)
    },
    [Symbol.dispose]() {
      isClosed = true
      for (const connection of connections) connection.cutOff()
    },
  }
}
