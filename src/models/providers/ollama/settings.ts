import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** Where models are asked for while the cluster is away. */
export const ollamaSettings = defineSettings({
  gatewayUrl: refineSetting(
    setting.text('RUNTIME_GATEWAY_URL', {
      about: 'Address of another platform whose gateway is asked for models while the cluster is away',
      optional: true,
    }),
    (address) => (address === undefined ? undefined : readServerUrl(address)),
  ),
  gatewayApiKey: setting.secretText('RUNTIME_GATEWAY_API_KEY', {
    about: 'Key of RUNTIME_GATEWAY_URL, with the scopes models.read and models.generate',
    optional: true,
  }),
  nodeUrl: refineSetting(
    setting.text('RUNTIME_NODE_URL', {
      about: 'Address of a model node that is asked directly when neither the cluster nor a gateway answers',
      default: 'http://localhost:11434',
    }),
    readServerUrl,
  ),
})
