import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { notify } from '../../shell/notify.ts'
import { type McpServer, mcpServersQuery } from './mcp-server-calls.ts'

/** Checks a server: reads its name and its tools, and calls no tool. */
export function ProbeServer({ server, size }: { server: McpServer; size: 'compact-xs' | 'sm' }) {
  const api = useApi()
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      bodyOf(api.client.POST('/admin/mcp/servers/{id}/probe', { params: { path: { id: server.id } } })),
    onSuccess: (found) =>
      cache.setQueryData(
        mcpServersQuery(api).queryKey,
        (known) =>
          known && { ...known, servers: known.servers.map((it) => (it.id === found.id ? found : it)) },
      ),
    onError: (error) => notify({ title: `${server.name} was not checked`, error }),
  })
  const label = isPending ? 'Checking…' : 'Check now'
  return (
    <Button
      size={size}
      variant="default"
      aria-label={`${label} ${server.name}`}
      aria-disabled={isPending}
      onClick={(click) => {
        // A click that reached the row would open it.
        click.stopPropagation()
        if (!isPending) mutate()
      }}
    >
      {label}
    </Button>
  )
}
