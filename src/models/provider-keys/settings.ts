import { refineSetting, setting } from '#kernel/config'

/** Keys that win over those that are stored. */
export const providerKeySettings = {
  openaiApiKey: keySetting('OPENAI_API_KEY', 'OPENAI_BASE_URL'),
  anthropicApiKey: keySetting('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
}

function keySetting(variable: string, addressVariable: string) {
  return refineSetting(
    setting.secretText(variable, {
      about: `Key for ${addressVariable}; without it, the one that was stored with PUT /api/v1/providers`,
      optional: true,
    }),
    checkKey,
  )
}

/** It goes into a header of every request. */
function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]{1,512}$/.test(key)) return key
  throw new Error('must be letters, digits and signs, without spaces')
}
