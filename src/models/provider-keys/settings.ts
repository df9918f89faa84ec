import { refineSetting, setting } from '#kernel/config'

/** API keys from the environment, which take precedence over stored keys. */
export const providerKeySettings = {
  openaiApiKey: keySetting('OPENAI_API_KEY', 'OPENAI_BASE_URL'),
  anthropicApiKey: keySetting('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
}

function keySetting(variable: string, addressVariable: string) {
  return refineSetting(
    setting.secretText(variable, {
      about: `API key for ${addressVariable}; if unset, the key stored with PUT /api/v1/providers/{name}/key`,
      optional: true,
    }),
    checkKey,
  )
}

/** The key is sent as a header, so it must be printable ASCII. */
function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]{1,512}$/.test(key)) return key
  throw new Error('must be printable ASCII characters without spaces')
}
