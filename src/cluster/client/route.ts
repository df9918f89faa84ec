/** A route to a model. The gateway has the same API as the cluster under its own prefix. */
export interface ModelRoute {
  readonly kind: 'cluster' | 'gateway' | 'node'
  /** Without a trailing slash. */
  readonly url: string
  readonly apiKey?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Names the gateway that forwards a request to another gateway or to the cluster. */
export const gatewayHopHeader = 'x-tutti-gateway'

/** Names the caller for whom the holder of the shared key acts: in the fair queue, and as the operator of a change. */
export const callerHeader = 'x-cluster-caller'

/** `true` or `false`: whether another node may continue the stream when its node fails. */
export const continueHeader = 'x-cluster-continue'

/** The operations. `show` describes a model; only the cluster and nodes have it. */
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
