import type { Engine } from '#engine'
import type { Logger, Tracing } from '#kernel/telemetry'

/** The dependencies of the MCP server, besides the platform's own HTTP APIs. */
export interface McpOptions {
  /** Provides the progress of executions while a client waits. */
  readonly engine: Pick<Engine, 'executions'>
  readonly version: string
  /** The public URL of the server. */
  readonly publicUrl: string | undefined
  readonly log: Logger
  /** Default: no traces. */
  readonly tracing?: Tracing
}
