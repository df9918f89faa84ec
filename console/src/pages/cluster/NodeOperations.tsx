import { useState } from 'react'
import { done } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import type { ClusterNode } from './cluster-bodies.ts'
import { DrainButton } from './DrainButton.tsx'
import { useClusterNews } from './use-live-cluster.ts'

interface NodeOperationsProps {
  readonly node: ClusterNode
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

/** Taking a node out of the work, for a while or until somebody adds it again. */
export function NodeOperations({ node, onCovered, onRemoved }: NodeOperationsProps) {
  const tell = useClusterNews()
  const [asking, setAsking] = useState(false)
  const ask = (wanted: boolean) => {
    setAsking(wanted)
    onCovered(wanted)
  }
  return (
    <DrawerSection
      title="In and out of the work"
      about="A draining node finishes what it has and takes nothing new: do this before you restart or update it."
      ways={
        <>
          <DrainButton node={node} size="sm" />
          <DangerButton kind="ask" onClick={() => ask(true)}>
            Remove…
          </DangerButton>
        </>
      }
    >
      {asking ? (
        <ConfirmDialog
          title={`Remove ${node.url}?`}
          confirmLabel="Remove node"
          failureSentence="The node was not removed."
          send={({ client }) =>
            done(client.DELETE('/api/cluster/nodes/{id}', { params: { path: { id: node.id } } }))
          }
          onDone={() => {
            tell({ event: 'node_removed', data: { node } })
            onRemoved()
          }}
          onClose={() => ask(false)}
        >
          <p>
            It finishes what it has and gets nothing new. It stays away until somebody adds it again or the
            cluster restarts,{' '}
            {node.source === 'runtime' ? 'and is not named anywhere else.' : 'whoever else names it.'}
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
