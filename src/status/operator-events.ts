import { configChanged } from './config/config-store.ts'

/** Changes of operators that the audit log shows. */
export const statusOperatorEventTypes = [
  configChanged,
  'status.mcp_server_added',
  'status.mcp_server_changed',
  'status.mcp_server_removed',
] as const
