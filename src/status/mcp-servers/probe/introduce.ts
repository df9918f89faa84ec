import type { Client, Tool } from '@modelcontextprotocol/client'
import type { McpIntroduction } from '../server.ts'
import type { Hide } from './hide-secrets.ts'

const mostToolsKept = 200

/** What a server has said of itself, as much of it as is worth keeping. */
export function introduce(
  client: Pick<Client, 'getServerVersion' | 'getNegotiatedProtocolVersion'>,
  tools: readonly Tool[],
  hide: Hide,
): McpIntroduction {
  const server = client.getServerVersion()
  const clip = (text: string, most: number) =>
    hide(text).toWellFormed().replaceAll('\0', '\uFFFD').slice(0, most)
  const clipMaybe = (text: string | undefined, most: number) =>
    text === undefined || text === '' ? null : clip(text, most)
  return {
    serverName: clip(server?.title ?? server?.name ?? '', 200),
    serverVersion: clip(server?.version ?? '', 100),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    tools: tools.slice(0, mostToolsKept).map(({ name, title, annotations, description }) => ({
      name: clip(name, 200),
      title: clipMaybe(title ?? annotations?.title, 200),
      description: clipMaybe(description, 500),
    })),
    toolsTotal: tools.length,
  }
}
