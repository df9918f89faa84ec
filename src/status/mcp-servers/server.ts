/** The transport of a server. It has only the names of headers and variables; the values are encrypted. */
export type McpTransport =
  | { readonly type: 'http'; readonly url: string; readonly headers: readonly string[] }
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly string[]
    }

/** Values of headers or variables, by name. */
export type Secrets = Readonly<Record<string, string>>

type McpState = 'unknown' | 'online' | 'degraded' | 'offline'

interface McpTool {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  /** The JSON schema of its arguments; null or missing when it is too large, or was not stored by the last probe. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | null
}

/** A registered server with the result of its last probe. */
export interface McpServerRow {
  readonly id: string
  readonly name: string
  readonly transport: McpTransport
  readonly secrets: string | null
  readonly enabled: boolean
  /** Whether flows may call its tools. */
  readonly allowFlows: boolean
  readonly revision: number
  readonly state: McpState
  readonly tookMs: number | null
  readonly probedAt: Date | null
  readonly seenAt: Date | null
  readonly error: string | null
  readonly serverName: string | null
  readonly serverVersion: string | null
  readonly protocolVersion: string | null
  readonly tools: readonly McpTool[]
  readonly toolsTotal: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The server's description of itself. */
export interface McpServerInfo {
  readonly serverName: string
  readonly serverVersion: string
  readonly protocolVersion: string
  /** At most 200. */
  readonly tools: readonly McpTool[]
  readonly toolsTotal: number
}

/** The result of a probe. After an error the stored description stays. */
export type McpProbeResult =
  | { readonly tookMs: number; readonly info: McpServerInfo }
  | { readonly tookMs: number; readonly error: string }
