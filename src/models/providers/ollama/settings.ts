import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** The routes to models while the cluster is unavailable, and the choice of a node. */
export const ollamaSettings = defineSettings({
  gatewayUrl: refineSetting(
    setting.text('RUNTIME_GATEWAY_URL', {
      about: 'URL of another platform whose gateway serves models while the cluster is unavailable',
      optional: true,
    }),
    (address) => (address === undefined ? undefined : readServerUrl(address)),
  ),
  gatewayApiKey: setting.secretText('RUNTIME_GATEWAY_API_KEY', {
    about: 'API key for RUNTIME_GATEWAY_URL, with the scopes models.read and models.generate',
    optional: true,
  }),
  nodeUrl: refineSetting(
    setting.text('RUNTIME_NODE_URL', {
      about: 'URL of a model node that serves models when neither the cluster nor a gateway is available',
      default: 'http://localhost:11434',
    }),
    readServerUrl,
  ),
  prefixAffinity: setting.flag('MODEL_PREFIX_AFFINITY', {
    about:
      'Sends calls without a session id to one node of the cluster when their prompts start alike, so that the node has the start in memory; the strategy of the cluster applies only when that node is busy',
    default: true,
  }),
})
