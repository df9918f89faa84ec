import type { Client, Tool } from '@modelcontextprotocol/client'
import { type ConnectOptions, connect, type McpConnection } from '../connection/connect.ts'
import { ConnectionFailure } from '../connection/connection-failure.ts'
import type { Redact } from '../connection/redact-secrets.ts'
import type { McpProbeResult, McpServerInfo } from '../server.ts'

/** `timeoutMs` is for start, `initialize` and `tools/list` together. */
export type ProbeOptions = Omit<ConnectOptions, 'account'>

/**
 * Connects to a server and lists its tools, as every client of the protocol does. A failure is part of the result. No process or
 * connection outlives the probe.
 */
export async function probeServer(options: ProbeOptions): Promise<McpProbeResult> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  let connection: McpConnection | undefined
  try {
    const { signal, timeoutMs } = options
    connection = await connect({ ...options, account: 'platform' })
    const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
    const { tools } = await connection.request(
      'tools/list',
      { timeoutMs: leftMs, namedMs: timeoutMs, signal },
      (client, sending) => client.listTools(undefined, sending),
    )
    return { tookMs: tookMs(), info: serverInfoOf(connection.client, tools, connection.redact) }
  } catch (error) {
    if (error instanceof ConnectionFailure) return { tookMs: tookMs(), error: error.message }
    // A probe that was stopped has no result to store.
    if (options.signal.aborted) return { tookMs: tookMs(), error: 'The probe was stopped.' }
    throw error
  } finally {
    await connection?.close()
  }
}

const maxToolsKept = 200
const maxSchemaLength = 16 * 1024
/** Of all tools together: the list is a row of the database. */
const maxSchemasLength = 256 * 1024

/** The server's description of itself and its tools, clipped to what is stored. */
function serverInfoOf(
  client: Pick<Client, 'getServerVersion' | 'getNegotiatedProtocolVersion'>,
  tools: readonly Tool[],
  redact: Redact,
): McpServerInfo {
  const server = client.getServerVersion()
  const clip = (text: string, most: number) =>
    redact(text).toWellFormed().replaceAll('\0', '\uFFFD').slice(0, most)
  const clipMaybe = (text: string | undefined, most: number) =>
    text === undefined || text === '' ? null : clip(text, most)
  let schemasLeft = maxSchemasLength
  /** Null when it is too large: the tool is shown, but flows cannot call it. */
  const keepSchema = (schema: Tool['inputSchema']) => {
    const text = redact(JSON.stringify(schema)).toWellFormed().replaceAll('\\u0000', '\uFFFD')
    if (text.length > Math.min(maxSchemaLength, schemasLeft)) return null
    schemasLeft -= text.length
    return parseSchema(text)
  }
  return {
    serverName: clip(server?.title ?? server?.name ?? '', 200),
    serverVersion: clip(server?.version ?? '', 100),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    tools: tools.slice(0, maxToolsKept).map(({ name, title, annotations, description, inputSchema }) => ({
      name: clip(name, 200),
      title: clipMaybe(title ?? annotations?.title, 200),
      description: clipMaybe(description, 500),
      inputSchema: keepSchema(inputSchema),
    })),
    toolsTotal: tools.length,
  }
}

function parseSchema(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // A redacted secret had broken an escape sequence.
    return null
  }
}
