import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { priceSettings, providerKeySettings } from './settings.ts'

test('API keys are used unchanged', () => {
  const environment = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: '' }
  expect(readSettings(providerKeySettings, environment)).toEqual({
    openaiApiKey: 'sk-1',
    anthropicApiKey: undefined,
    geminiApiKey: undefined,
  })
})

test.each(['sk-1 ', 'sk-1\r\nX-Evil: 1', 'été', 'x'.repeat(513)])(
  '%j is not a valid key, and the error does not repeat it',
  (key) => {
    const read = () => readSettings(providerKeySettings, { OPENAI_API_KEY: key })
    expect(read).toThrow('OPENAI_API_KEY must be printable ASCII characters without spaces')
    expect(read).not.toThrow(key)
  },
)

test('a price list is selected by name', () => {
  expect(readSettings(priceSettings, { OPENAI_PRICE_LIST: 'x-ai' })).toEqual({
    openaiPriceList: 'x-ai',
    anthropicPriceList: undefined,
    geminiPriceList: undefined,
  })
  expect(() => readSettings(priceSettings, { ANTHROPIC_PRICE_LIST: 'https://example.com' })).toThrow(
    'ANTHROPIC_PRICE_LIST must be a name',
  )
})
