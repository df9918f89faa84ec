import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** Where Anthropic itself is, and nobody is welcome without a key. */
export const anthropicUrl = 'https://api.anthropic.com/v1'

/** Anthropic, or any server that speaks its interface. The key is found elsewhere. */
export const anthropicSettings = defineSettings({
  baseUrl: refineSetting(
    setting.text('ANTHROPIC_BASE_URL', {
      about: 'Address of Anthropic, or of a server that speaks its interface, which then needs no key',
      default: anthropicUrl,
    }),
    readServerUrl,
  ),
  models: setting.list('ANTHROPIC_MODELS', {
    about: 'Models of ANTHROPIC_BASE_URL to use, comma-separated; all that it lists unless set',
    optional: true,
  }),
})
