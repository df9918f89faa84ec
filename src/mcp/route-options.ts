import type { Engine } from '#engine'
import type { Logger } from '#kernel/telemetry'

/** What the tools stand on, besides the platform's own public interfaces. */
export interface McpOptions {
  /** Tells how executions go while a client waits. */
  readonly engine: Pick<Engine, 'executions'>
  readonly version: string
  /** Where people reach this server. */
  readonly publicUrl: string | undefined
  readonly log: Logger
}
