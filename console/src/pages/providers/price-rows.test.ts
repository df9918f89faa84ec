import { describe, expect, test } from 'vitest'
import type { CatalogueModel } from '../playground/catalogue.ts'
import { listPrices, narrow } from './price-rows.ts'
import type { SetPrice } from './provider-queries.ts'

const unpriced: CatalogueModel['pricing'] = {
  source: 'unpriced',
  input: null,
  cached_input: null,
  output: null,
  tiers: [],
  version: null,
}

function model(id: string, provider: CatalogueModel['provider'], pricing = unpriced): CatalogueModel {
  return {
    id,
    provider,
    pricing,
    object: 'model',
    created: null,
    owned_by: 'vendor',
    state: 'available',
    loaded: false,
    nodes: [],
    size: null,
    capabilities: [],
    context_length: null,
    max_output_tokens: null,
  }
}

const price: SetPrice = {
  provider: 'openai',
  model: 'gpt-4o',
  input: 1,
  cached_input: 0.5,
  output: 2,
  updated_at: '2026-11-15T08:00:00.000Z',
  updated_by: null,
}

describe('listPrices', () => {
  const models = [
    model('qwen3:8b', 'ollama'),
    model('gpt-4o', 'openai', { ...unpriced, source: 'override', input: 1, cached_input: 0.5, output: 2 }),
  ]

  test('lists every model with its price and the source of the price', () => {
    expect(listPrices(models, [price])).toMatchObject([
      { key: 'openai/gpt-4o', source: 'override', input: 1, cachedInput: 0.5, set: price, isListed: true },
      { key: 'ollama/qwen3:8b', source: 'unpriced', input: null, set: undefined },
    ])
  })

  test('includes prices of models no provider offers', () => {
    const rows = listPrices(models, [{ ...price, model: 'gone' }])
    expect(rows.find(({ model: id }) => id === 'gone')).toMatchObject({ isListed: false, output: 2 })
  })

  test('filters prices by provider and model, ignoring case', () => {
    const rows = listPrices(models, [])
    expect(narrow(rows, 'OPENAI').map(({ model: id }) => id)).toEqual(['gpt-4o'])
    expect(narrow(rows, 'qwen')).toHaveLength(1)
    expect(narrow(rows, undefined)).toHaveLength(2)
  })
})
