import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'

const path = '/admin/mcp/servers'

/** The maximum page size. */
const all = 200

/** Servers are checked in the background without an event, so the list is polled. */
const refetchInterval = 5000

type ListBody = paths[typeof path]['get']['responses'][200]['content']['application/json']
export type McpServer = ListBody['servers'][number]

export function mcpServersQuery(api: Api) {
  return queryOptions({
    queryKey: ['mcp-servers'],
    queryFn: ({ signal }) => bodyOf(api.client.GET(path, { signal, params: { query: { limit: all } } })),
    refetchInterval,
  })
}
