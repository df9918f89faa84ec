import {
  type CloudDialect,
  type CloudProvider,
  type CloudProviderOptions,
  createCloudProvider,
} from '../cloud-provider.ts'
import { cannot } from '../unsupported.ts'
import { listAnthropicModels } from './list-models.ts'
import { anthropicUrl } from './settings.ts'

/** Anthropic, or any server that speaks its interface: its messages and list of models. It has no embeddings. */
export function createAnthropicProvider(options: CloudProviderOptions): CloudProvider {
  return createCloudProvider(anthropic, options)
}

const who = 'Anthropic'

const anthropic: CloudDialect = {
  name: 'anthropic',
  who,
  ownUrl: anthropicUrl,
  variables: { key: 'ANTHROPIC_API_KEY', models: 'ANTHROPIC_MODELS' },
  keyHeader: 'x-api-key',
  rateHeader: 'anthropic-ratelimit-requests-remaining',
  // Penalties and a seed have no name: there is no way to ask for them.
  wireNames: { temperature: 'temperature', topP: 'top_p' },
  async openModel(address, model) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(address).messages(model)
  },
  settle({ format }) {
    if (format !== undefined && format.schema === undefined) {
      throw cannot(who, 'JSON is only promised for a schema')
    }
    return {}
  },
  readThinking: () => undefined,
  list: listAnthropicModels,
  async embed() {
    throw cannot(who, 'it turns no texts into vectors')
  },
}
