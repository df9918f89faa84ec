import { gatewayHopHeader, type ModelRoute } from '#cluster'
import type { SettingsOf } from '#kernel/config'
import type { ollamaSettings } from './settings.ts'

export interface RouteSources {
  /** Of the service in this process, or where it is found. */
  readonly cluster: { readonly url: string; readonly apiKey: string | undefined }
  readonly settings: SettingsOf<typeof ollamaSettings>
  /** Tells our own requests from those of other gateways. */
  readonly gatewayId: string
}

/** The ways to a model, in their order: the cluster, another gateway if there is one, a node. */
export function routesOf({ cluster, settings, gatewayId }: RouteSources): readonly ModelRoute[] {
  const { gatewayUrl, gatewayApiKey, nodeUrl } = settings
  // To another gateway it prevents a circle; to the cluster it says that the request is counted here.
  const headers = { [gatewayHopHeader]: gatewayId }
  const gateway: ModelRoute[] =
    gatewayUrl === undefined
      ? []
      : [
          {
            kind: 'gateway',
            url: gatewayUrl,
            apiKey: gatewayApiKey,
            headers,
          },
        ]
  return [{ kind: 'cluster', ...cluster, headers }, ...gateway, { kind: 'node', url: nodeUrl }]
}
