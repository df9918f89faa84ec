export { createMcp, type Mcp } from './mcp.ts'
export type { McpOptions } from './route-options.ts'
