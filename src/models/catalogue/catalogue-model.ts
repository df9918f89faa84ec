import { type Static, Type } from 'typebox'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { dollarsOf } from '../prices/micro-dollars.ts'
import type { ModelPrice, TokenPrices } from '../prices/price.ts'

const Dollars = Type.Union([Type.Number(), Type.Null()], {
  description: 'Dollars for a million tokens; null when unknown.',
})

const pricingSchema = Type.Object(
  {
    source: Type.Enum(['override', 'table', 'free', 'unpriced'], {
      description:
        '`override`: set by an operator. `table`: from the price table. `free`: costs nothing. `unpriced`: unknown.',
    }),
    input: Dollars,
    cached_input: Dollars,
    output: Dollars,
    tiers: Type.Array(
      Type.Object({
        above_input_tokens: Type.Integer({
          description: 'Applies to calls with more input tokens than this.',
        }),
        input: Type.Number(),
        cached_input: Type.Number(),
        output: Type.Number(),
      }),
      { description: 'Prices for whole calls with a longer input, the shortest first.' },
    ),
    version: Type.Union([Type.String(), Type.Null()], {
      description: 'The version of the price table, or the time when the price was set.',
    }),
  },
  { description: 'The price of the model.' },
)

export const catalogueModelSchema = Type.Object(
  {
    id: Type.String({ description: 'The model id to send in requests.' }),
    object: Type.Literal('model'),
    created: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Unix time in seconds when the provider, or the first node, got this version of the model; null when unknown.',
    }),
    owned_by: Type.String({
      description:
        'The owner that the provider reports; for a model of the cluster the namespace in its name, else `library`.',
    }),
    provider: Type.String({
      description: 'The name of the provider of the model; `ollama` stands for the nodes of the cluster.',
    }),
    state: Type.Enum(['available', 'unavailable'], {
      description: 'Whether the model can be called now.',
    }),
    loaded: Type.Boolean({ description: 'Whether one of `nodes` has the model in memory.' }),
    nodes: Type.Array(Type.String(), {
      description: 'Ids of the healthy nodes that have the model; empty for other providers.',
    }),
    size: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Size on disk in bytes; null when unknown.',
    }),
    capabilities: Type.Array(Type.String(), {
      description: 'Capabilities such as `completion`, `tools` or `vision`; empty when unknown.',
    }),
    context_length: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Maximum tokens of a conversation, including the response; null when unknown.',
    }),
    max_output_tokens: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Maximum tokens of a response; null when unknown.',
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
