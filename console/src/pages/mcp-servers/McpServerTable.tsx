import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './McpServerTable.module.css'
import type { McpServer } from './mcp-server-calls.ts'
import { describeTransport, serverStates } from './mcp-server-words.ts'
import { ProbeServer } from './ProbeServer.tsx'

const columns: ReadonlyArray<Column<McpServer>> = [
  { title: 'Server', room: 96, placeholderWidth: 96, cell: ({ name }) => name },
  {
    title: 'State',
    room: 140,
    cell: ({ state, last_error }) => (
      <span className={styles['state']}>
        <Status {...serverStates[state]} />
        {last_error === null || state !== 'offline' ? null : (
          <span className={styles['problem']}>{last_error}</span>
        )}
      </span>
    ),
  },
  {
    title: 'Where',
    minor: true,
    placeholderWidth: 160,
    cell: (server) => (
      <span className={styles['where']} title={describeTransport(server)}>
        {describeTransport(server)}
      </span>
    ),
  },
  {
    title: 'Tools',
    numeric: true,
    placeholderWidth: 24,
    cell: ({ server, tools_total }) => (server === null ? '–' : tools_total.toLocaleString()),
  },
  {
    title: 'Answered in',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ state, response_time: ms }) =>
      ms === null || state === 'offline' ? '–' : describeMilliseconds(Math.round(ms)),
  },
  {
    title: 'Checked',
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ last_check }) => (last_check === null ? '–' : <RelativeTime at={last_check} />),
  },
  {
    title: 'Check now',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: (server) => <ProbeServer server={server} size="compact-xs" />,
  },
]

interface McpServerTableProps {
  readonly servers: readonly McpServer[] | undefined
  readonly openId: string | undefined
  readonly onCreate: () => void
  readonly onOpen: (id: string) => void
}

export function McpServerTable({ servers, openId, onCreate, onOpen }: McpServerTableProps) {
  if (servers?.length === 0) {
    return (
      <EmptyState
        sentence="No server is watched yet. Add one, and you see here whether it answers and which tools it has."
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Add your first server
          </Button>
        }
        link={<a href="https://modelcontextprotocol.io">What MCP servers are</a>}
      />
    )
  }
  return (
    <Table
      label="MCP servers"
      columns={columns}
      rows={servers}
      rowKey={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
