import { isIPv6 } from 'node:net'
import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { gatewaySettings } from './gateway/settings.ts'
import { priceSettings } from './prices/settings.ts'
import { providerKeySettings } from './provider-keys/settings.ts'
import { anthropicSettings } from './providers/anthropic/settings.ts'
import { ollamaSettings } from './providers/ollama/settings.ts'
import { openAiSettings } from './providers/openai/settings.ts'
import { timeoutSettings } from './providers/settings.ts'
import { gatewayRouteSettings } from './routes/settings.ts'

/** The port of the cluster service in Kubernetes, where it is addressed by its service name. */
const portInKubernetes = 3001

/** Settings of providers and the gateway, and the address of a cluster service in another process. */
export const modelsSettings = defineSettings({
  ...ollamaSettings,
  openaiBaseUrl: openAiSettings.baseUrl,
  openaiModels: openAiSettings.models,
  anthropicBaseUrl: anthropicSettings.baseUrl,
  anthropicModels: anthropicSettings.models,
  ...providerKeySettings,
  ...priceSettings,
  ...gatewaySettings,
  ...timeoutSettings,
  ...gatewayRouteSettings,
  kubernetesHost: setting.text('KUBERNETES_SERVICE_HOST', {
    about:
      'Set by Kubernetes; the cluster service is then addressed by RUNTIME_CLUSTER_SERVICE and RELEASE_NAMESPACE',
    optional: true,
  }),
  clusterService: refineSetting(
    setting.text('RUNTIME_CLUSTER_SERVICE', {
      about: `Name of the cluster service inside Kubernetes, where it listens on port ${portInKubernetes}`,
      default: 'tutti-cluster',
    }),
    checkLabel,
  ),
  namespace: refineSetting(
    setting.text('RELEASE_NAMESPACE', {
      about: 'Kubernetes namespace of the cluster service',
      default: 'default',
    }),
    checkLabel,
  ),
  clusterHost: refineSetting(
    setting.text('RUNTIME_CLUSTER_HOST', {
      about: 'Host of the cluster service, for a process that does not run it itself',
      default: 'localhost',
    }),
    checkHost,
  ),
  clusterPort: setting.integer('RUNTIME_CLUSTER_PORT', {
    about: 'Port of the cluster service, for a process that does not run it itself',
    default: 3001,
    min: 1,
    max: 65_535,
  }),
})

export type ModelsSettings = SettingsOf<typeof modelsSettings>

/** The address of the cluster service, inside or outside Kubernetes. */
export function clusterUrlOf(
  settings: Pick<
    ModelsSettings,
    'kubernetesHost' | 'clusterService' | 'namespace' | 'clusterHost' | 'clusterPort'
  >,
): string {
  const { kubernetesHost, clusterService, namespace, clusterHost, clusterPort } = settings
  return kubernetesHost === undefined
    ? `http://${clusterHost}:${clusterPort}`
    : `http://${clusterService}.${namespace}.svc.cluster.local:${portInKubernetes}`
}

function checkLabel(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name
  throw new Error(`must be a name of lower-case letters, digits and hyphens, not "${name}"`)
}

function checkHost(given: string): string {
  const bare = given.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(bare)) return `[${bare}]`
  if (/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_.])?$/i.test(given)) return given
  throw new Error(`must be a host name or an address, without http:// and port, not "${given}"`)
}
