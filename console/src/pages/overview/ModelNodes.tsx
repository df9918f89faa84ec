import { Button, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { ModelNode } from '../../api/responses.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeNodeState } from '../cluster/node-words.ts'
import styles from './cells.module.css'

const columns: ReadonlyArray<Column<ModelNode>> = [
  {
    title: 'Node',
    value: ({ url }) => url,
    placeholderWidth: 180,
    cell: ({ url }) => <Copyable text={url} what="address" />,
  },
  {
    title: 'Status',
    value: ({ status, last_check }) => describeNodeState(status, last_check !== null).word,
    cell: ({ status, last_error, last_check }) => (
      <span className={styles['reasoned']}>
        <Status {...describeNodeState(status, last_check !== null)} />
        {last_error === null ? null : <span className={styles['reason']}>{last_error}</span>}
      </span>
    ),
  },
  {
    title: 'Models',
    value: ({ models }) => models.length,
    numeric: true,
    placeholderWidth: 24,
    cell: ({ models, url }) => <ModelList models={models} node={url} />,
  },
  {
    title: 'Latency',
    value: ({ latency_ms: ms }) => ms,
    numeric: true,
    placeholderWidth: 40,
    cell: ({ latency_ms }) => (latency_ms === null ? '–' : `${Math.round(latency_ms)} ms`),
  },
  {
    title: 'Checked',
    value: ({ last_check: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_check }) => (last_check === null ? 'never' : <RelativeTime at={last_check} />),
  },
]

/** The model nodes. */
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
      aside={isEmpty ? undefined : <Link to="/cluster">Open cluster</Link>}
    >
      {isEmpty ? (
        <EmptyState
          sentence="No model nodes yet. Add one to the cluster, or list nodes in CLUSTER_NODES."
          action={
            <Button size="compact-sm" variant="default" onClick={onRefresh}>
              Check again
            </Button>
          }
          link={<Link to="/cluster">Open cluster</Link>}
        />
      ) : (
        <Table
          label="Model nodes"
          name="nodes"
          columns={columns}
          rows={nodes}
          rowKey={({ id }) => id}
          placeholderRows={2}
        />
      )}
    </Section>
  )
}

/** The number of models of a node; a click lists their names. */
function ModelList({ models, node }: { models: readonly string[]; node: string }) {
  const id = useId()
  if (models.length === 0) return 0
  return (
    <>
      <UnstyledButton
        className={styles['count'] ?? ''}
        popoverTarget={id}
        aria-label={`Models of ${node}: ${models.length}`}
      >
        {models.length}
      </UnstyledButton>
      {/* A long list scrolls, and a scrolling region must be reachable by keyboard. */}
      <div
        id={id}
        popover="auto"
        className={styles['list']}
        tabIndex={0}
        role="region"
        aria-label={`Models of ${node}`}
      >
        <ul>
          {models.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
