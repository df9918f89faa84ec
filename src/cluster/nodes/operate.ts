import { kernelFailure } from '#kernel/errors'
import { clusterFailure } from '../errors.ts'
import { nodeId, parseNodeUrl } from './node-address.ts'
import type { NodeRecord } from './node-record.ts'
import type { NodeRegistry } from './registry.ts'
import type { TrackedNode } from './tracked-node.ts'

/** The operations of operators on nodes. */
export interface NodeOperations {
  add(node: { readonly url: string; readonly weight: number }): NodeRecord
  change(
    id: string,
    change: { readonly weight?: number | undefined; readonly draining?: boolean | undefined },
  ): NodeRecord
  remove(id: string): void
}

export function createNodeOperations(registry: NodeRegistry): NodeOperations {
  function find(id: string): TrackedNode {
    const node = registry.find(id)
    // A discovered port without a response yet is watched, but is not a node.
    if (node?.record === undefined) throw clusterFailure('node_not_found', { details: { id } })
    return node
  }

  return {
    add({ url: given, weight }) {
      const url = readUrl(given)
      const known = registry.find(nodeId(url))
      if (known?.isNamedBy('config') === true || known?.isNamedBy('runtime') === true) {
        throw kernelFailure('conflict', {
          message: `${url} is a node already, as ${known.id}.`,
          details: { id: known.id },
        })
      }
      return recordOf(registry.add({ url, weight, source: 'runtime' }))
    },
    change(id, { weight, draining }) {
      const node = find(id)
      registry.update(node, () => {
        if (weight !== undefined) node.setWeight(weight)
        if (draining !== undefined) node.setDraining(draining)
      })
      return recordOf(node)
    },
    remove: (id) => registry.remove(find(id)),
  }
}

function readUrl(given: string): string {
  try {
    return parseNodeUrl(given)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not a valid address'
    throw kernelFailure('invalid_input', {
      message: `url ${message}`,
      problems: [{ path: 'url', message, code: 'invalid' }],
    })
  }
}

function recordOf({ id, record }: TrackedNode): NodeRecord {
  if (record === undefined) throw clusterFailure('node_not_found', { details: { id } })
  return record
}
