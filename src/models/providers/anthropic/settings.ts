import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** The address of Anthropic itself, which requires an API key. */
export const anthropicUrl = 'https://api.anthropic.com/v1'

/** Anthropic, or any server with a compatible API. */
export const anthropicSettings = defineSettings({
  baseUrl: refineSetting(
    setting.text('ANTHROPIC_BASE_URL', {
      about: 'Base URL of Anthropic, or of a server with a compatible API, for which a key is optional',
      default: anthropicUrl,
    }),
    readServerUrl,
  ),
  models: setting.list('ANTHROPIC_MODELS', {
    about: 'Models of ANTHROPIC_BASE_URL to use, comma-separated; all listed models if unset',
    optional: true,
  }),
})
