export { errorCode, isConnectionLost, NoHostError, tooManyConnections } from './connection-errors.ts'
export type { ConnectionTarget, HostAddress } from './connection-target.ts'
export { type Connection, type Connector, createConnector, type SessionConfig } from './open-connection.ts'
export { parseConnectionUrl } from './parse-connection-url.ts'
