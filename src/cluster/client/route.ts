/** A way to a model. The gateway has the same bodies as the cluster, under a prefix of its own. */
export interface ModelRoute {
  readonly kind: 'cluster' | 'gateway' | 'node'
  /** Without a slash at the end. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** Sent along with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Names the gateway that sends a request on, to another gateway or to the cluster. */
export const gatewayHopHeader = 'x-tutti-gateway'

/** What can be asked for. `show` tells about a model, and is known to the cluster and to nodes only. */
export type ModelOperation = 'generate' | 'chat' | 'embed' | 'show'

const prefixes: Readonly<Record<ModelRoute['kind'], string>> = {
  cluster: '/api',
  gateway: '/api/v1',
  node: '/api',
}

export function urlOf({ kind, url }: ModelRoute, path: string): string {
  return `${url}${prefixes[kind]}/${path}`
}

export function headersOf({ apiKey, headers }: ModelRoute): Record<string, string> {
  return { ...headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) }
}

export function knows({ kind }: ModelRoute, operation: ModelOperation): boolean {
  return operation !== 'show' || kind !== 'gateway'
}
