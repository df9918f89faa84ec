import { useState } from 'react'
import { Copyable } from '../../parts/Copyable.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { ClusterNode } from './cluster-bodies.ts'
import { EditWeight } from './EditWeight.tsx'
import { NodeModels } from './NodeModels.tsx'
import { NodeOperations } from './NodeOperations.tsx'
import { NodePast } from './NodePast.tsx'
import { NodeStatus } from './NodeStatus.tsx'
import { sources } from './node-words.ts'

interface NodeDrawerProps {
  readonly id: string
  /** Undefined when there is no such node, or no longer. */
  readonly node: ClusterNode | undefined
  readonly mayOperate: boolean
  readonly onClose: () => void
}

/** One node: how it is, what it did lately, what it has, and changing it. */
export default function NodeDrawer({ id, node, mayOperate, onClose }: NodeDrawerProps) {
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={node?.url ?? 'Node'}
      onClose={onClose}
      returnTo={() => findRow(id)}
      covered={covered}
      holdsInput={mayOperate}
    >
      {node === undefined ? (
        <p>The cluster has no node with the id {id}, or no longer.</p>
      ) : (
        <>
          <FactsBox facts={factsOf(node)} />
          <NodePast history={node.history} />
          <NodeModels node={node} />
          {mayOperate ? (
            <>
              <EditWeight key={id} node={node} />
              <NodeOperations node={node} onCovered={setCovered} onRemoved={onClose} />
            </>
          ) : null}
        </>
      )}
    </SideDrawer>
  )
}

function factsOf(node: ClusterNode) {
  const { id, url, requests, failures, weight, version, source, last_check } = node
  return [
    { name: 'State', value: <NodeStatus node={node} /> },
    { name: 'Address', value: <Copyable text={url} what="address" /> },
    { name: 'Id', value: <Copyable text={id} what="node id" /> },
    { name: 'Source', value: sources[source] },
    { name: 'Runtime', value: version ?? '–' },
    { name: 'Weight', value: weight },
    { name: 'Under way', value: node.active_connections.toLocaleString() },
    {
      name: 'Since the start',
      value: `${requests.toLocaleString()} ${requests === 1 ? 'request' : 'requests'}, ${failures.toLocaleString()} failed`,
    },
    { name: 'Checked', value: last_check === null ? 'never' : <RelativeTime at={last_check} /> },
  ]
}
