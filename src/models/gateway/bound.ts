import { worstCaseOf } from '../prices/cost.ts'
import type { EmbedCall, ModelCall } from '../providers/provider.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** The most a call can take. */
export interface Bound {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly microDollars: number
}

/** For models that say nothing about how much they write. */
const usualOutputTokens = 4096

/** What a provider puts around each message. */
const tokensAroundMessage = 16

/**
 * The most a call can cost, or undefined when it costs nothing or nobody knows. A token stands for at least one byte, so
 * there are no more tokens than bytes; what comes out is limited to `outputTokens`, which has to be asked for.
 */
export function boundChat({ model, price }: CatalogueEntry, call: ModelCall): Bound | undefined {
  if (!costsMoney(price)) return undefined
  const texts = call.messages.map(({ content }) => content)
  const besides = [call.format?.schema, call.runtime].flatMap((value) =>
    value === undefined ? [] : JSON.stringify(value),
  )
  const inputTokens = bytesOf([...texts, ...besides]) + tokensAroundMessage * call.messages.length
  const outputTokens = call.maxTokens ?? model.maxOutputTokens ?? usualOutputTokens
  return boundOf(price, { inputTokens, outputTokens })
}

export function boundEmbed({ price }: CatalogueEntry, { inputs }: EmbedCall): Bound | undefined {
  if (!costsMoney(price)) return undefined
  const inputTokens = bytesOf(inputs) + tokensAroundMessage * inputs.length
  return boundOf(price, { inputTokens, outputTokens: 0 })
}

/** Reading every message to find out that nothing costs nothing is work for no reason. */
function costsMoney(price: CatalogueEntry['price']): boolean {
  return price.source !== 'unpriced' && price.source !== 'free'
}

function boundOf(
  price: CatalogueEntry['price'],
  tokens: { readonly inputTokens: number; readonly outputTokens: number },
): Bound | undefined {
  const worst = worstCaseOf(price, tokens)
  if (worst === null || worst === 0) return undefined
  return { ...tokens, microDollars: Math.min(worst, Number.MAX_SAFE_INTEGER) }
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
