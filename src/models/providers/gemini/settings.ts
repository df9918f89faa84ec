import { defineSettings, refineSetting, setting } from '#kernel/config'
import { readServerUrl } from '../server-url.ts'

/** The address of Gemini itself, which requires an API key. */
export const geminiUrl = 'https://generativelanguage.googleapis.com/v1beta'

/** Gemini, or any server with a compatible API. */
export const geminiSettings = defineSettings({
  baseUrl: refineSetting(
    setting.text('GEMINI_BASE_URL', {
      about: 'Base URL of Gemini, or of a server with a compatible API, for which a key is optional',
      default: geminiUrl,
    }),
    readServerUrl,
  ),
  models: setting.list('GEMINI_MODELS', {
    about: 'Models of GEMINI_BASE_URL to use, comma-separated; all listed models if unset',
    optional: true,
  }),
})
