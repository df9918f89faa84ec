import {
  type CloudDialect,
  type CloudProvider,
  type CloudProviderOptions,
  createCloudProvider,
} from '../cloud-provider.ts'
import { embedWithOpenAi } from './embed.ts'
import { listOpenAiModels } from './list-models.ts'
import { readReasoning } from './read-reasoning.ts'
import { openAiUrl } from './settings.ts'
import { isStrictSchema } from './strict-schema.ts'

/** OpenAI, or any server that speaks its interface: its chat completions, embeddings and list of models. */
export function createOpenAiProvider(options: CloudProviderOptions): CloudProvider {
  return createCloudProvider(openAi, options)
}

const openAi: CloudDialect = {
  name: 'openai',
  who: 'OpenAI',
  ownUrl: openAiUrl,
  variables: { key: 'OPENAI_API_KEY', models: 'OPENAI_MODELS' },
  keyHeader: 'authorization',
  rateHeader: 'x-ratelimit-remaining-requests',
  wireNames: {
    temperature: 'temperature',
    topP: 'top_p',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    seed: 'seed',
  },
  async openModel(address, model) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI(address).chat(model)
  },
  settle: ({ format }) => ({
    includeRawChunks: true,
    ...(format?.schema !== undefined && {
      providerOptions: { openai: { strictJsonSchema: isStrictSchema(format.schema) } },
    }),
  }),
  readThinking: readReasoning,
  list: listOpenAiModels,
  embed: embedWithOpenAi,
}
