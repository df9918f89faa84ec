import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import type { ClusterNode, NodeHistory } from './cluster-query.ts'
import { DrainButton } from './DrainButton.tsx'
import { NodeStatus } from './NodeStatus.tsx'
import styles from './NodeTable.module.css'
import { describeLine, describeMilliseconds, latestOf } from './node-words.ts'
import { drawSparkline } from './sparkline-path.ts'

interface SparklineProps {
  readonly values: ReadonlyArray<number | null>
  /** The line in words. */
  readonly label: string
  readonly quiet?: boolean
}

const size = { width: 96, height: 24 }

/** A small line over the last ten minutes. */
function Sparkline({ values, label, quiet = false }: SparklineProps) {
  return (
    <svg
      className={styles['sparkline']}
      role="img"
      aria-label={label}
      data-quiet={quiet}
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      <path d={drawSparkline(values, size)} />
    </svg>
  )
}

const columns: ReadonlyArray<Column<ClusterNode>> = [
  { title: 'Node', placeholderWidth: 160, cell: ({ url }) => <code className={styles['url']}>{url}</code> },
  { title: 'State', minWidth: 120, cell: (node) => <NodeStatus node={node} /> },
  {
    title: 'Models',
    numeric: true,
    minor: true,
    placeholderWidth: 64,
    cell: (node) => <ModelCount node={node} />,
  },
  {
    title: 'Active',
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

const operatorColumns = [...columns, drainColumn]

function ModelCount({ node: { models, loaded_models } }: { node: ClusterNode }) {
  return (
    <span className={styles['models']} title={models.join('\n')}>
      {models.length}
      {loaded_models.length === 0 ? null : (
        <span className={styles['loaded']}>{loaded_models.length} loaded</span>
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
        sentence={`No model nodes yet. Start Ollama on this machine (“ollama serve”) and it is discovered automatically, or list other nodes in CLUSTER_NODES${mayOperate ? ', or add one here' : ''}.`}
        action={
          <Button size="compact-sm" variant="default" onClick={mayOperate ? onAdd : onRefresh}>
            {mayOperate ? 'Add your first node' : 'Check again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Add nodes through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Nodes"
      columns={mayOperate ? operatorColumns : columns}
      rows={nodes}
      rowKey={({ id }) => id}
      placeholderRows={2}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}

/** Time to first byte of a node; without requests, the latency of its probe. */
function NodeLatency({ history, url }: { history: NodeHistory | undefined; url: string }) {
  if (history === undefined) return '–'
  const isAsked = history.first_byte_ms.some((ms) => ms !== null)
  const values = isAsked ? history.first_byte_ms : history.probe_ms
  if (values.every((ms) => ms === null)) return '–'
  const what = isAsked ? 'first byte' : 'probe'
  const latest = latestOf(values)
  return (
    <span className={styles['latency']}>
      <Sparkline values={values} label={`${url}, ${what}: ${describeLine(values)}`} quiet={!isAsked} />
      <span className={styles['value']}>
        {latest === undefined ? '–' : describeMilliseconds(latest)}
        <span className={styles['what']}>{what}</span>
      </span>
    </span>
  )
}
