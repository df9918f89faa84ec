export { incidentEventTypes } from './incidents/announce.ts'
export {
  type CallableTool,
  createMcpClients,
  type McpClients,
  type McpToolCall,
  type McpToolResult,
} from './mcp-servers/clients/mcp-clients.ts'
export { statusMigrations } from './migrations.ts'
export { readNotifyTargets, type StatusSettings, statusSettings } from './settings.ts'
export { createTrafficCounter } from './stats/live-stats.ts'
export { createStatus, type Status, statusOperatorEventTypes } from './status.ts'
export type { StatusOptions } from './status-options.ts'
