import { type HttpServer, registerInterface } from '#kernel/http'
import { mcpInterface } from './interface.ts'
import type { McpOptions } from './route-options.ts'
import { addMcpRoute } from './serving/mcp-route.ts'
import { addResourceMetadata } from './serving/resource-metadata.ts'

/** The platform for clients of the Model Context Protocol. */
export interface Mcp {
  /** Registers the interface with its routes. */
  readonly register: (app: HttpServer) => Promise<void>
}

export function createMcp(options: McpOptions): Mcp {
  return {
    register: (app) =>
      registerInterface(app, mcpInterface, (routes) => {
        addResourceMetadata(routes, options.publicUrl)
        addMcpRoute(routes, app, options)
      }),
  }
}
