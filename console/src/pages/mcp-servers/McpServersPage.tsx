import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './McpServersPage.module.css'
import { type McpServer, mcpServersQuery } from './mcp-server-calls.ts'
import { type McpServerSearch, readMcpServerSearch } from './mcp-server-search.ts'
import { describeTransport, serverStates } from './mcp-server-words.ts'
import { ProbeServer } from './ProbeServer.tsx'

const AddMcpServer = lazyPart(() =>
  import('./McpServerDrawer.tsx').then(({ AddMcpServer: it }) => ({ default: it })),
)
const McpServerDrawer = lazyPart(() => import('./McpServerDrawer.tsx'))
const route = getRouteApi('/mcp-servers')

/** The registered MCP servers, and how to connect to this platform as one. */
export function McpServersPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const { server: openId, create } = readMcpServerSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data, failure, refetch } = useApiQuery(mcpServersQuery(useApi()))
  const refresh = () => cache.invalidateQueries({ queryKey: ['mcp-servers'] })
  const show = (search: McpServerSearch) => void navigate({ search, resetScroll: false })

  return (
    <Page
      title="MCP servers"
      lead="Model Context Protocol servers your assistants use, with their state and tools."
      aside={
        <Button
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => show({ create: true })}
        >
          Add server
        </Button>
      }
    >
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The MCP servers could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Section title="Servers" note={countText(data?.servers)}>
          <McpServerTable
            servers={data?.servers}
            openId={openId}
            onCreate={() => show({ create: true })}
            onOpen={(id) => show({ server: id })}
          />
        </Section>
      )}
      <ConnectClient />
      <Suspense>
        {create === true && data !== undefined ? (
          <AddMcpServer
            allowsPrograms={data.stdio_enabled}
            onClose={() => show({})}
            onAdded={async (id) => {
              await refresh()
              show({ server: id })
            }}
          />
        ) : null}
        {openId === undefined || data === undefined ? null : (
          <McpServerDrawer
            key={openId}
            server={data.servers.find(({ id }) => id === openId)}
            allowsPrograms={data.stdio_enabled}
            onChanged={refresh}
            onClose={() => show({})}
          />
        )}
      </Suspense>
    </Page>
  )
}

function countText(servers: readonly McpServer[] | undefined): string | undefined {
  if (servers === undefined || servers.length === 0) return undefined
  const well = servers.filter(({ state }) => state === 'online' || state === 'degraded').length
  return `${well} of ${servers.length} online`
}

/** How an assistant connects to this platform, which is an MCP server itself. */
function ConnectClient() {
  const { origin } = window.location
  return (
    <Section title="Connect an assistant to this platform">
      <div className={styles['content']}>
        <p>
          This platform is an MCP server itself. Assistants can list workflows, run them, follow and cancel
          executions, and list models, with the permissions, limits and budgets of the key they use.{' '}
          <Link to="/api-keys">Create an API key</Link> for each assistant.
        </p>
        <Copyable text={`${origin}/mcp`} what="address" />
        <div className={styles['examples']}>
          {writeConnectExamples(origin).map((example) => (
            <Example key={example.id} example={example} />
          ))}
        </div>
      </div>
    </Section>
  )
}

function Example({ example: { title, about, text } }: { example: ConnectExample }) {
  return (
    <div className={styles['example']}>
      <h3>{title}</h3>
      <p className={styles['about']}>{about}</p>
      <div className={styles['frame']}>
        <div className={styles['copy']}>
          <CopyButton text={text} what={`configuration: ${title}`} />
        </div>
        {/* A long line scrolls, and a scrolling region must be reachable by keyboard. */}
        <pre className={styles['code']} tabIndex={0} role="region" aria-label={`Configuration: ${title}`}>
          {text}
        </pre>
      </div>
    </div>
  )
}

const columns: ReadonlyArray<Column<McpServer>> = [
  {
    title: 'Server',
    minWidth: 96,
    placeholderWidth: 96,
    value: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    title: 'State',
    minWidth: 140,
    value: ({ state }) => serverStates[state].word,
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
    title: 'Address',
    value: describeTransport,
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
    value: ({ server, tools_total }) => (server === null ? null : tools_total),
    placeholderWidth: 24,
    cell: ({ server, tools_total }) => (server === null ? '–' : tools_total.toLocaleString()),
  },
  {
    title: 'Response time',
    numeric: true,
    value: ({ state, response_time: ms }) => (state === 'offline' ? null : ms),
    minor: true,
    placeholderWidth: 40,
    cell: ({ state, response_time: ms }) =>
      ms === null || state === 'offline' ? '–' : describeMilliseconds(Math.round(ms)),
  },
  {
    title: 'Checked',
    numeric: true,
    value: ({ last_check }) => last_check,
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

function McpServerTable({ servers, openId, onCreate, onOpen }: McpServerTableProps) {
  if (servers?.length === 0) {
    return (
      <EmptyState
        sentence="No MCP servers yet. Add one to monitor its state and tools."
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Add your first server
          </Button>
        }
        link={<a href="https://modelcontextprotocol.io">About MCP servers</a>}
      />
    )
  }
  return (
    <Table
      label="MCP servers"
      name="main"
      columns={columns}
      rows={servers}
      rowKey={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}

/** The MCP client configuration for this server, in the common format. */
interface ConnectExample {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly text: string
}

/** The key stays a placeholder, so that a real one is not pasted into the wrong window. */
const keyPlaceholder = 'tk_YOUR_API_KEY'

export function writeConnectExamples(origin: string): readonly ConnectExample[] {
  return [
    {
      id: 'http',
      title: 'HTTP clients',
      about: 'Requires the URL and an API key.',
      text: indent({
        mcpServers: {
          tutti: {
            type: 'http',
            url: `${origin}/mcp`,
            headers: { Authorization: `Bearer ${keyPlaceholder}` },
          },
        },
      }),
    },
    {
      id: 'stdio',
      title: 'stdio clients',
      about:
        'For clients that support only stdio, on a machine with a checkout of Tutti. Set command to its path; npx tutti mcp --help prints this with the right path.',
      text: indent({
        mcpServers: {
          tutti: {
            command: '/PATH/TO/tutti/bin/tutti',
            args: ['mcp'],
            env: { TUTTI_URL: origin, TUTTI_API_KEY: keyPlaceholder },
          },
        },
      }),
    },
  ]
}

function indent(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
