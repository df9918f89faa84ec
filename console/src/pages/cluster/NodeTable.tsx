import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import type { ClusterNode } from './cluster-bodies.ts'
import { DrainButton } from './DrainButton.tsx'
import { NodeLatency } from './NodeLatency.tsx'
import { NodeStatus } from './NodeStatus.tsx'
import styles from './NodeTable.module.css'

const facts: ReadonlyArray<Column<ClusterNode>> = [
  { title: 'Node', placeholderWidth: 160, cell: ({ url }) => <code className={styles['url']}>{url}</code> },
  { title: 'State', room: 120, cell: (node) => <NodeStatus node={node} /> },
  {
    title: 'Models',
    numeric: true,
    minor: true,
    placeholderWidth: 64,
    cell: (node) => <ModelCount node={node} />,
  },
  {
    title: 'Under way',
    numeric: true,
    minor: true,
    placeholderWidth: 16,
    cell: ({ active_connections }) => active_connections.toLocaleString(),
  },
  { title: 'Weight', numeric: true, minor: true, placeholderWidth: 16, cell: ({ weight }) => weight },
  {
    title: 'Latency',
    numeric: true,
    placeholderWidth: 140,
    cell: ({ history, url }) => <NodeLatency history={history} url={url} />,
  },
]

const drainColumn: Column<ClusterNode> = {
  title: 'Drain',
  numeric: true,
  quiet: true,
  placeholderWidth: 48,
  cell: (node) => <DrainButton node={node} size="compact-xs" />,
}

const operatorColumns = [...facts, drainColumn]

function ModelCount({ node: { models, loaded_models } }: { node: ClusterNode }) {
  return (
    <span className={styles['models']} title={models.join('\n')}>
      {models.length}
      {loaded_models.length === 0 ? null : (
        <span className={styles['loaded']}>{loaded_models.length} in memory</span>
      )}
    </span>
  )
}

interface NodeTableProps {
  readonly nodes: readonly ClusterNode[] | undefined
  readonly openId: string | undefined
  readonly mayOperate: boolean
  readonly onOpen: (id: string) => void
  readonly onAdd: () => void
  readonly onRefresh: () => void
}

/** The machines that run models. A row opens all there is to know about one. */
export function NodeTable({ nodes, openId, mayOperate, onOpen, onAdd, onRefresh }: NodeTableProps) {
  if (nodes?.length === 0) {
    return (
      <EmptyState
        sentence={`There is no model node yet. Start Ollama on this machine (“ollama serve”) and it is found by itself, or name nodes elsewhere in CLUSTER_NODES${mayOperate ? ', or add one here' : ''}.`}
        action={
          <Button size="compact-sm" variant="default" onClick={mayOperate ? onAdd : onRefresh}>
            {mayOperate ? 'Add your first node' : 'Look again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Add nodes through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Nodes"
      columns={mayOperate ? operatorColumns : facts}
      rows={nodes}
      rowKey={({ id }) => id}
      placeholderRows={2}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
