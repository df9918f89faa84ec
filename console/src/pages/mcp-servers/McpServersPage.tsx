import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { ConnectClient } from './ConnectClient.tsx'
import { McpServerTable } from './McpServerTable.tsx'
import { type McpServer, mcpServersQuery } from './mcp-server-calls.ts'
import { type McpServerSearch, readMcpServerSearch } from './mcp-server-search.ts'

const AddMcpServer = lazy(() => import('./AddMcpServer.tsx'))
const McpServerDrawer = lazy(() => import('./McpServerDrawer.tsx'))
const route = getRouteApi('/mcp-servers')

/** Servers of tools that are watched, and how to use this platform as one. */
export function McpServersPage() {
  // The address may say what makes no sense, and keeps it.
  const { server: openId, create } = readMcpServerSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data, failure, refetch } = useAnswer(mcpServersQuery(useApi()))
  const refresh = () => cache.invalidateQueries({ queryKey: ['mcp-servers'] })
  const show = (search: McpServerSearch) => void navigate({ search, resetScroll: false })

  return (
    <Page
      title="MCP servers"
      lead="Servers of the Model Context Protocol that your assistants rely on: whether they answer, and which tools they have."
      aside={
        <Button
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => show({ create: true })}
        >
          Add server
        </Button>
      }
    >
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The MCP servers could not be read."
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
  return `${well} of ${servers.length} answer`
}
