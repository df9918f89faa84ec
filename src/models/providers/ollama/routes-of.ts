import type { ModelRoute } from '#cluster'
import type { SettingsOf } from '#kernel/config'
import { gatewayHopHeader } from '../gateway-hop.ts'
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
  const gateway: ModelRoute[] =
    gatewayUrl === undefined
      ? []
      : [
          {
            kind: 'gateway',
            url: gatewayUrl,
            apiKey: gatewayApiKey,
            headers: { [gatewayHopHeader]: gatewayId },
          },
        ]
  return [{ kind: 'cluster', ...cluster }, ...gateway, { kind: 'node', url: nodeUrl }]
}
