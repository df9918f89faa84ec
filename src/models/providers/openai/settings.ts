import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** Where OpenAI itself is, and nobody is welcome without a key. */
export const openAiUrl = 'https://api.openai.com/v1'

/** OpenAI, or any server that speaks its interface. The key is found elsewhere. */
export const openAiSettings = defineSettings({
  baseUrl: refineSetting(
    setting.text('OPENAI_BASE_URL', {
      about: 'Address of OpenAI, or of a server that speaks its interface, which then needs no key',
      default: openAiUrl,
    }),
    readServerUrl,
  ),
  models: setting.list('OPENAI_MODELS', {
    about: 'Models of OPENAI_BASE_URL to use, comma-separated; all that it lists unless set',
    optional: true,
  }),
})
