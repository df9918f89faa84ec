/** How a server is reached. Of headers and variables only the names; their values are sealed. */
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
}

/** A server of the registry, with what its last probe found. */
export interface McpServerRow {
  readonly id: string
  readonly name: string
  readonly transport: McpTransport
  readonly secrets: string | null
  readonly enabled: boolean
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

/** What a server says of itself. */
export interface McpIntroduction {
  readonly serverName: string
  readonly serverVersion: string
  readonly protocolVersion: string
  /** As many as are kept. */
  readonly tools: readonly McpTool[]
  readonly toolsTotal: number
}

/** What a probe found. A server that did not answer has an error; what it said before is kept. */
export type McpFinding =
  | { readonly tookMs: number; readonly introduction: McpIntroduction }
  | { readonly tookMs: number; readonly error: string }
