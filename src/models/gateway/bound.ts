import { worstCaseOf } from '../prices/cost.ts'
import type { EmbedCall, ModelCall } from '../providers/provider.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** The upper bound of what a call can use and cost. */
export interface Bound {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly microDollars: number
}

/** For models without a known output limit. */
const defaultOutputTokens = 4096

/** Tokens that a provider adds around each message. */
const tokensAroundMessage = 16

/**
 * The most a call can cost, or undefined when the model is free or unpriced. A token is at least one byte, so there are no
 * more input tokens than bytes. The caller of the provider must limit the output to `outputTokens`.
 */
export function boundChat({ model, price }: CatalogueEntry, call: ModelCall): Bound | undefined {
  if (!costsMoney(price)) return undefined
  const texts = call.messages.map(({ content }) => content)
  const otherInput = [call.format?.schema, call.runtime].flatMap((value) =>
    value === undefined ? [] : JSON.stringify(value),
  )
  const inputTokens = bytesOf([...texts, ...otherInput]) + tokensAroundMessage * call.messages.length
  const outputTokens = call.maxTokens ?? model.maxOutputTokens ?? defaultOutputTokens
  return boundOf(price, { inputTokens, outputTokens })
}

export function boundEmbed({ price }: CatalogueEntry, { inputs }: EmbedCall): Bound | undefined {
  if (!costsMoney(price)) return undefined
  const inputTokens = bytesOf(inputs) + tokensAroundMessage * inputs.length
  return boundOf(price, { inputTokens, outputTokens: 0 })
}

/** Checked first, because measuring every message of a free call would be wasted work. */
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
