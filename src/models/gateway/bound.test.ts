import { describe, expect, test } from 'vitest'
import type { ModelPrice } from '../prices/price.ts'
import type { ModelCall } from '../providers/provider.ts'
import { boundEmbed, boundChat as boundsOfChat } from './bound.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

const prices = { input: 3_000_000, cachedInput: 300_000, output: 15_000_000 }
const priced: ModelPrice = { source: 'table', version: '1', prices }

/** The largest bound. */
const boundChat = (model: CatalogueEntry, chat: ModelCall) => boundsOfChat(model, chat, limits)[0]
const limits = { defaultOutputTokens: 16_384 }

function entry(
  price: ModelPrice,
  maxOutputTokens: number | null = null,
  contextLength: number | null = null,
): CatalogueEntry {
  const model = {
    id: 'm',
    ownedBy: 'x',
    created: null,
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: [],
    contextLength,
    maxOutputTokens,
  }
  return { provider: 'openai', model, price }
}

const call: ModelCall = {
  model: 'm',
  kind: 'chat',
  messages: [
    { role: 'system', content: 'Kurz.' },
    { role: 'user', content: 'Grüß dich 🎻' },
  ],
}

describe('the upper bound of a call', () => {
  test('is a token for each byte of its texts, 16 for each message, and the output limit', () => {
    const inputTokens = 5 + 16 + 32
    expect(boundChat(entry(priced), { ...call, maxTokens: 10 })).toEqual({
      inputTokens,
      outputTokens: 10,
      microDollars: inputTokens * 3 + 10 * 15,
      maxTokens: 10,
    })
  })

  test('counts the output schema and the runtime fields as input', () => {
    const plain = boundChat(entry(priced), call)?.inputTokens ?? 0
    const format = { schema: { type: 'object' } }
    expect(boundChat(entry(priced), { ...call, format })?.inputTokens).toBe(
      plain + '{"type":"object"}'.length,
    )
    const runtime = { images: ['AAAA'] }
    expect(boundChat(entry(priced), { ...call, runtime })?.inputTokens).toBe(
      plain + '{"images":["AAAA"]}'.length,
    )
  })

  test('covers every response of the call, and fields that are passed on unread', () => {
    const one = boundChat(entry(priced), { ...call, maxTokens: 10 })
    const two = boundChat(entry(priced), { ...call, maxTokens: 10, choices: 2 })
    expect(two).toMatchObject({ outputTokens: 20, maxTokens: 10, inputTokens: 2 * (one?.inputTokens ?? 0) })
    const body = { prediction: 'x'.repeat(50) }
    const original = { protocol: 'openai.chat', body, stream: false, nativeFields: ['prediction'] } as const
    expect(boundChat(entry(priced), { ...call, maxTokens: 10, original })?.inputTokens).toBe(
      (one?.inputTokens ?? 0) + JSON.stringify(body).length,
    )
  })

  test('takes the output limit of the caller, else of the model, else the default, but not more than half of the context', () => {
    expect(boundChat(entry(priced, 900), { ...call, maxTokens: 7 })?.outputTokens).toBe(7)
    expect(boundChat(entry(priced, 900), call)?.outputTokens).toBe(900)
    expect(boundChat(entry(priced), call)?.outputTokens).toBe(16_384)
    expect(boundChat(entry(priced, null, 8192), call)?.outputTokens).toBe(4096)
    expect(boundChat(entry(priced, null, 1_000_000), call)?.outputTokens).toBe(16_384)
  })

  test('is lowered by halves to 1,024 tokens, unless the caller set the limit', () => {
    const lowered = (model: CatalogueEntry, fields: Partial<ModelCall> = {}) =>
      boundsOfChat(model, { ...call, ...fields }, limits).map(({ maxTokens }) => maxTokens)
    expect(lowered(entry(priced))).toEqual([16_384, 8192, 4096, 2048, 1024])
    expect(lowered(entry(priced, 3000))).toEqual([3000, 1500, 1024])
    expect(lowered(entry(priced, 900))).toEqual([900])
    expect(lowered(entry(priced), { maxTokens: 9000 })).toEqual([9000])
    const [first, second] = boundsOfChat(entry(priced), { ...call, choices: 2 }, limits)
    expect(second?.outputTokens).toBe(16_384)
    expect((first?.microDollars ?? 0) - (second?.microDollars ?? 0)).toBe(16_384 * 15)
  })

  test('is undefined for free and unpriced models', () => {
    expect(boundChat(entry({ source: 'unpriced' }), call)).toBeUndefined()
    expect(boundChat(entry({ ...priced, source: 'free' }), call)).toBeUndefined()
    const nothing = { input: 0, cachedInput: 0, output: 0 }
    expect(boundChat(entry({ source: 'override', version: '1', prices: nothing }), call)).toBeUndefined()
  })

  test('stays a safe integer, regardless of the requested limit', () => {
    const bound = boundChat(entry(priced), { ...call, maxTokens: Number.MAX_SAFE_INTEGER })
    expect(bound?.microDollars).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('of an embedding call is its input', () => {
    expect(boundEmbed(entry(priced), { model: 'm', inputs: ['ab', 'ü'] })).toEqual({
      inputTokens: 4 + 32,
      outputTokens: 0,
      microDollars: 108,
    })
  })
})
