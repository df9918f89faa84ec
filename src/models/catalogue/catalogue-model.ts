import { type Static, Type } from 'typebox'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { dollarsOf } from '../prices/micro-dollars.ts'
import type { ModelPrice, TokenPrices } from '../prices/price.ts'
import { providerNames } from '../providers/provider.ts'

const Dollars = Type.Union([Type.Number(), Type.Null()], {
  description: 'Dollars for a million tokens; null when nobody knows.',
})

const pricingSchema = Type.Object(
  {
    source: Type.Enum(['override', 'table', 'free', 'unpriced'], {
      description:
        '`override`: set here. `table`: as published. `free`: known to cost nothing. `unpriced`: nobody knows.',
    }),
    input: Dollars,
    cached_input: Dollars,
    output: Dollars,
    tiers: Type.Array(
      Type.Object({
        above_input_tokens: Type.Integer({
          description: 'Holds for calls with more input tokens than this.',
        }),
        input: Type.Number(),
        cached_input: Type.Number(),
        output: Type.Number(),
      }),
      { description: 'What holds instead for whole calls with a longer input, the shortest first.' },
    ),
    version: Type.Union([Type.String(), Type.Null()], {
      description: 'The version of the price table, or when the price was set.',
    }),
  },
  { description: 'What it costs.' },
)

export const catalogueModelSchema = Type.Object(
  {
    id: Type.String({ description: 'The name to ask for it by.' }),
    object: Type.Literal('model'),
    created: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Seconds since 1970: since when its provider, or the first of its nodes, has it as it is. Null when none says.',
    }),
    owned_by: Type.String({
      description:
        'Who made it, as its provider says; of a model of the cluster the namespace in its name, `library` when it has none.',
    }),
    provider: Type.Enum([...providerNames], {
      description: 'Who answers with it; `ollama` are the nodes of the cluster.',
    }),
    state: Type.Enum(['available', 'unavailable'], {
      description: 'Whether its provider can be asked for it now.',
    }),
    loaded: Type.Boolean({ description: 'Whether one of `nodes` has it in memory.' }),
    nodes: Type.Array(Type.String(), {
      description:
        'Ids of the healthy nodes that have it; empty while none can be asked, and for other providers.',
    }),
    size: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Bytes on disk; null when no node says.',
    }),
    capabilities: Type.Array(Type.String(), {
      description: 'What it can do, such as `completion`, `tools` or `vision`; empty when nobody says.',
    }),
    context_length: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Most tokens of a conversation, its answer included; null when nobody says.',
    }),
    max_output_tokens: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Most tokens of an answer; null when nobody says.',
    }),
    pricing: pricingSchema,
  },
  { description: 'A model.' },
)

export type CatalogueModel = Static<typeof catalogueModelSchema>

export function describeModel({ provider, model, price }: CatalogueEntry): CatalogueModel {
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    provider,
    state: model.available ? 'available' : 'unavailable',
    loaded: model.loaded,
    nodes: [...model.nodes],
    size: model.size,
    capabilities: [...model.capabilities],
    context_length: model.contextLength,
    max_output_tokens: model.maxOutputTokens,
    pricing: describePrice(price),
  }
}

function describePrice(price: ModelPrice): CatalogueModel['pricing'] {
  if (price.source === 'unpriced') {
    return { source: 'unpriced', input: null, cached_input: null, output: null, tiers: [], version: null }
  }
  const { source, prices, tiers = [], version } = price
  return {
    source,
    ...inDollars(prices),
    tiers: tiers.map((tier) => ({ above_input_tokens: tier.above, ...inDollars(tier.prices) })),
    version,
  }
}

function inDollars({ input, cachedInput, output }: TokenPrices) {
  return { input: dollarsOf(input), cached_input: dollarsOf(cachedInput), output: dollarsOf(output) }
}
