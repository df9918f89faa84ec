import type { Settings } from './settings.ts'

/** Where a server listens, and which variables say so. */
export interface Place {
  readonly purpose: string
  readonly host: string
  readonly port: number
  readonly variables: { readonly host: string; readonly port: string }
}

/** The places of all our servers. */
export function placesOf({
  platform,
  cluster,
}: Settings): Readonly<Record<'platform' | 'cluster' | 'metrics', Place>> {
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

/** The address to open for a place. Every-interface addresses cannot be opened themselves; this machine's own can. */
export function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
