import type { AddressInfo } from 'node:net'
import { UserError } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { Settings } from './settings.ts'

/** The address a server listens on, and the environment variables that set it. */
export interface ListenAddress {
  readonly purpose: string
  readonly host: string
  readonly port: number
  readonly variables: { readonly host: string; readonly port: string }
}

export function listenAddressesOf({
  platform,
  cluster,
}: Settings): Readonly<Record<'platform' | 'cluster' | 'metrics', ListenAddress>> {
  return {
    platform: {
      purpose: 'Platform',
      host: platform.host,
      port: platform.port,
      variables: { host: 'HOST', port: 'PORT' },
    },
    cluster: {
      purpose: 'Cluster',
      host: cluster.host,
      port: cluster.port,
      variables: { host: 'CLUSTER_HOST', port: 'CLUSTER_PORT' },
    },
    metrics: {
      purpose: 'Metrics',
      host: platform.metricsHost,
      port: platform.metricsPort,
      variables: { host: 'METRICS_HOST', port: 'METRICS_PORT' },
    },
  }
}

/** The URL of each server of a platform; undefined where the process has none. */
export interface PlatformUrls {
  readonly console: string | undefined
  readonly cluster: string | undefined
  readonly metrics: string | undefined
}

/** The URL to open for an address. 0.0.0.0 and :: cannot be opened themselves; localhost can. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Listens and returns the URL of the server. An error that the operator can fix becomes one line that says how. */
export async function listen(server: HttpServer, address: ListenAddress): Promise<string> {
  try {
    // For the name localhost Fastify opens a second server, which neither our error responses nor closeHttpServer reach.
    const host = address.host === 'localhost' ? '127.0.0.1' : address.host
    await server.listen({ host, port: address.port })
  } catch (error) {
    throw explain(error, address)
  }
  const { port } = server.server.address() as AddressInfo
  return urlOf(address.host, port)
}

function explain(error: unknown, { host, port, variables }: ListenAddress): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UserError(
        `Port ${port} is already in use. Stop what listens there, or set ${variables.port} to another port (0 takes any free one).`,
      )
    case 'EACCES':
      return new UserError(`Port ${port} needs more rights. Set ${variables.port} to a port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError(`This machine has no address "${host}". Set ${variables.host} to one it has.`)
    default:
      return error
  }
}
