import { expect, test } from 'vitest'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { chooseDefaultModel } from './choose-default-model.ts'

interface Listed {
  readonly id: string
  readonly price?: number
  readonly capabilities?: readonly string[]
  readonly available?: boolean
}

function entry({ id, price, capabilities = [], available = true }: Listed): CatalogueEntry {
  const prices = { input: price ?? 0, cachedInput: 0, output: price ?? 0 }
  return {
    provider: 'groq',
    model: {
      id,
      ownedBy: 'groq',
      created: null,
      available,
      loaded: false,
      nodes: [],
      size: null,
      capabilities,
      contextLength: null,
      maxOutputTokens: null,
    },
    price: price === undefined ? { source: 'unpriced' } : { source: 'table', prices, version: '1' },
  }
}

test.each<[what: string, listed: readonly Listed[], chosen: string | undefined]>([
  [
    'the cheapest',
    [
      { id: 'large', price: 9 },
      { id: 'small', price: 1 },
    ],
    'small',
  ],
  [
    'the first by name of equal ones, in any order',
    [
      { id: 'b', price: 0 },
      { id: 'a', price: 0 },
    ],
    'a',
  ],
  ['one with a known price before one without', [{ id: 'a' }, { id: 'b', price: 9 }], 'b'],
  ['one without a price when none has one', [{ id: 'b' }, { id: 'a' }], 'a'],
  ['none that creates embeddings', [{ id: 'a', capabilities: ['embedding'] }, { id: 'b' }], 'b'],
  ['none that its name says is for speech', [{ id: 'tts-1' }, { id: 'openai/whisper-1' }, { id: 'x' }], 'x'],
  ['none that is unavailable', [{ id: 'a', available: false }], undefined],
  ['nothing of an empty list', [], undefined],
])('a default model is %s', (_what, listed, chosen) => {
  expect(chooseDefaultModel(listed.map(entry))).toBe(chosen)
})
