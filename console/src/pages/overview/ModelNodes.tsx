import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ModelNode } from '../../api/bodies.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeNodeState } from '../cluster/node-words.ts'
import styles from './cells.module.css'
import { ModelList } from './ModelList.tsx'

const columns: ReadonlyArray<Column<ModelNode>> = [
  {
    title: 'Node',
    placeholderWidth: 180,
    cell: ({ url }) => <Copyable text={url} what="address" />,
  },
  {
    title: 'Status',
    cell: ({ status, last_error, last_check }) => (
      <span className={styles['reasoned']}>
        <Status {...describeNodeState(status, last_check !== null)} />
        {last_error === null ? null : <span className={styles['reason']}>{last_error}</span>}
      </span>
    ),
  },
  {
    title: 'Models',
    numeric: true,
    placeholderWidth: 24,
    cell: ({ models, url }) => <ModelList models={models} node={url} />,
  },
  {
    title: 'Latency',
    numeric: true,
    placeholderWidth: 40,
    cell: ({ latency_ms }) => (latency_ms === null ? '–' : `${Math.round(latency_ms)} ms`),
  },
  {
    title: 'Checked',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_check }) => (last_check === null ? 'never' : <RelativeTime at={last_check} />),
  },
]

/** The machines that serve models. */
export function ModelNodes({
  nodes,
  onRefresh,
}: {
  nodes: readonly ModelNode[] | undefined
  onRefresh: () => void
}) {
  const healthy = nodes?.filter(({ status }) => status === 'healthy').length
  const isEmpty = nodes?.length === 0
  return (
    <Section
      title="Model nodes"
      note={nodes === undefined || isEmpty ? undefined : `${healthy} of ${nodes.length} healthy`}
      aside={isEmpty ? undefined : <Link to="/cluster">Open the cluster</Link>}
    >
      {isEmpty ? (
        <EmptyState
          sentence="This platform knows no model node yet; add one to the cluster, or name some in CLUSTER_NODES."
          action={
            <Button size="compact-sm" variant="default" onClick={onRefresh}>
              Look again
            </Button>
          }
          link={<Link to="/cluster">Open the cluster</Link>}
        />
      ) : (
        <Table
          label="Model nodes"
          columns={columns}
          rows={nodes}
          rowKey={({ id }) => id}
          placeholderRows={2}
        />
      )}
    </Section>
  )
}
