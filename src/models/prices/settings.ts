import { refineSetting, setting } from '#kernel/config'

/** The price lists of cloud providers. */
export const priceSettings = {
  openaiPriceList: priceListSetting('OPENAI_PRICE_LIST', 'OPENAI_BASE_URL'),
  anthropicPriceList: priceListSetting('ANTHROPIC_PRICE_LIST', 'ANTHROPIC_BASE_URL'),
}

function priceListSetting(variable: string, addressVariable: string) {
  return refineSetting(
    setting.text(variable, {
      about: `Price list for ${addressVariable}, such as openai, anthropic, groq or openrouter, or none; chosen by the address if unset`,
      optional: true,
    }),
    checkName,
  )
}

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || /^[a-z0-9_-]{1,64}$/.test(name)) return name
  throw new Error(`must be a name of lower-case letters, digits, - and _, not "${name}"`)
}
