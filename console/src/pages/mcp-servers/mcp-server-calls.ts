import { queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import type { paths } from '../../api/schema.generated.ts'

const path = '/admin/mcp/servers'

/** As many as there can be. */
const all = 200

/** Servers are looked at by themselves, and nobody tells when. */
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
