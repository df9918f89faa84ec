import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../api/api.ts'
import { pageSize } from '../../api/read-all.ts'
import type { paths } from '../../api/schema.generated.ts'

const secretsPath = '/ai-workflows/api/secrets'
const connectionsPath = '/ai-workflows/api/connections'

type ListOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

type Connection = ListOf<typeof connectionsPath>['connections'][number]
type Secret = ListOf<typeof secretsPath>['secrets'][number]

/** A secret or a connection. */
export type Entry = Secret & Partial<Pick<Connection, 'kind' | 'settings'>>

export type EntryPart = 'connection' | 'secret'

/** The maximum page size. */
const all = 200

interface EntriesPage {
  readonly entries: readonly Entry[]
  readonly total: number
}

/** One page of secrets or connections, by name. */
export function entriesQuery(api: Api, { part, page }: { part: EntryPart; page: number }) {
  return queryOptions({
    queryKey: ['connections', part, page],
    queryFn: ({ signal }) => readEntries(api, part, { signal, query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  })
}

/** All secrets or connections that a flow can name, for the choices of a form. */
export function entryChoicesQuery(api: Api, part: EntryPart) {
  return queryOptions({
    queryKey: ['connections', part, 'choices'],
    queryFn: ({ signal }) => readEntries(api, part, { signal, query: { page: 1, limit: all } }),
  })
}

interface ReadOptions {
  readonly signal: AbortSignal
  readonly query: { readonly page: number; readonly limit: number }
}

async function readEntries(
  { client }: Api,
  part: EntryPart,
  { signal, query }: ReadOptions,
): Promise<EntriesPage> {
  if (part === 'secret') {
    const { secrets, total } = await bodyOf(client.GET(secretsPath, { signal, params: { query } }))
    return { entries: secrets, total }
  }
  const { connections, total } = await bodyOf(client.GET(connectionsPath, { signal, params: { query } }))
  return { entries: connections, total }
}

/** One secret or connection with the flows that use it. Not part of `connections`, so that a deleted one is not read again with the list. */
export function entryQuery(api: Api, { part, name }: { part: EntryPart; name: string }) {
  return queryOptions({
    queryKey: ['connection', part, name],
    queryFn: async ({ signal }): Promise<Entry & { readonly used_by: readonly Use[] }> => {
      const params = { path: { name } }
      return part === 'secret'
        ? await bodyOf(api.client.GET(`${secretsPath}/{name}`, { signal, params }))
        : await bodyOf(api.client.GET(`${connectionsPath}/{name}`, { signal, params }))
    },
  })
}

interface Use {
  readonly flow_id: string
  readonly label: string
}

export async function deleteEntry({ client }: Api, part: EntryPart, name: string): Promise<unknown> {
  const params = { path: { name } }
  return part === 'secret'
    ? await bodyOf(client.DELETE(`${secretsPath}/{name}`, { params }))
    : await bodyOf(client.DELETE(`${connectionsPath}/{name}`, { params }))
}
