export {
  type Connections,
  type ConnectionsOptions,
  connectionsOperatorEventTypes,
  createConnections,
} from './connections.ts'
export { connectionsFailureTable } from './errors.ts'
export { checkHost } from './hosts.ts'
export { connectionsMigrations } from './migrations.ts'
export type { RequestCredentials, SecretReader } from './read-secrets.ts'
export { addConnectionRoutes } from './routes/routes.ts'
