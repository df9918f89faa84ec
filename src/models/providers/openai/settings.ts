import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** The address of OpenAI itself, which requires an API key. */
export const openAiUrl = 'https://api.openai.com/v1'

/** OpenAI, or any server with a compatible API. */
export const openAiSettings = defineSettings({
  baseUrl: refineSetting(
    setting.text('OPENAI_BASE_URL', {
      about: 'Base URL of OpenAI, or of a server with a compatible API, for which a key is optional',
      default: openAiUrl,
    }),
    readServerUrl,
  ),
  models: setting.list('OPENAI_MODELS', {
    about: 'Models of OPENAI_BASE_URL to use, comma-separated; all listed models if unset',
    optional: true,
  }),
})
