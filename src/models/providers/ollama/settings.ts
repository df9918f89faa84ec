import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** The routes to models while the cluster is unavailable. */
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
})
