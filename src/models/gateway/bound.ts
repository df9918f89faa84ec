import { jsonBytes } from '#kernel/http'
import { worstCaseOf } from '../prices/cost.ts'
import { partsOf } from '../providers/content.ts'
import type { ChatMessage, ContentPart, EmbedCall, ModelCall } from '../providers/provider.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** The upper bound of what a call can use and cost. */
export interface Bound {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly microDollars: number
  /** The token limit of one response; `outputTokens` covers all responses of the call. */
  readonly maxTokens?: number
}

/** The smallest output limit that the gateway chooses when a budget has not enough left for a larger one. */
const minOutputTokens = 1024

/** Tokens that a provider adds around each message. */
const tokensAroundMessage = 16

/**
 * The most a call can cost; empty when the model is free or unpriced. A call without an output limit has several bounds, the largest
 * first, of which the first that its budget allows applies. A token is at least one byte, so there are no more input tokens than bytes.
 * The caller of the provider must limit each response to `maxTokens`.
 */
export function boundChat(
  { model, price }: CatalogueEntry,
  call: ModelCall,
  { defaultOutputTokens }: OutputLimits,
): readonly Bound[] {
  if (!costsMoney(price)) return []
  const otherInput = [call.format?.schema, call.tools, call.runtime].flatMap((value) =>
    value === undefined ? [] : JSON.stringify(value),
  )
  const inputTokens = call.messages.reduce(
    (sum, message) => sum + boundMessage(message),
    bytesOf(otherInput) + boundNativeFields(call),
  )
  const limits =
    call.maxTokens === undefined ? halve(chooseLimit(model, defaultOutputTokens)) : [call.maxTokens]
  const { choices = 1 } = call
  return limits.flatMap((maxTokens) => {
    const tokens = { inputTokens: inputTokens * choices, outputTokens: maxTokens * choices }
    const bound = priceBound(price, tokens)
    return bound === undefined ? [] : { ...bound, maxTokens }
  })
}

export interface OutputLimits {
  /** For calls without a limit to models without a known limit. */
  readonly defaultOutputTokens: number
}

/** Servers refuse a limit that leaves no space for the input, so a default limit is at most half of the context. */
function chooseLimit({ maxOutputTokens, contextLength }: CatalogueEntry['model'], limit: number): number {
  if (maxOutputTokens !== null) return maxOutputTokens
  return contextLength === null ? limit : Math.min(limit, Math.max(1, Math.floor(contextLength / 2)))
}

/** A limit and its halves down to 1,024, such as 3,000, 1,500 and 1,024. */
export function halve(limit: number): readonly number[] {
  const limits = [limit]
  for (let next = limit; next > minOutputTokens; limits.push(next))
    next = Math.max(minOutputTokens, Math.floor(next / 2))
  return limits
}

/** Fields that are passed on without being understood may be input as well. */
function boundNativeFields({ original }: Pick<ModelCall | EmbedCall, 'original'>): number {
  if (original === undefined || original.nativeFields.length === 0) return 0
  return jsonBytes(original.body)
}

function boundMessage(message: ChatMessage): number {
  const parts = partsOf(message.content).map(boundPart)
  const { toolCalls = [], thinking = [] } = message.role === 'assistant' ? message : {}
  const texts = [
    ...toolCalls.flatMap((toolCall) => [toolCall.id, toolCall.name, toolCall.arguments]),
    ...thinking.map(({ text }) => text),
    ...(message.role === 'tool' ? [message.toolCallId] : []),
    ...('name' in message && message.name !== undefined ? [message.name] : []),
  ]
  const around = tokensAroundMessage * (1 + toolCalls.length)
  return parts.reduce((sum, tokens) => sum + tokens, around + bytesOf(texts))
}

/** The most tokens that a provider counts for an image of any size: gpt-4o-mini counts 2,833 and 5,667 for each of eight tiles. */
export const imageTokens = 48_500
/** Audio has at most 25 tokens a second, and a second of the lowest bit rate is 1,000 bytes. */
const base64BytesPerAudioToken = 50

function boundPart(part: ContentPart): number {
  switch (part.type) {
    case 'text':
      return Buffer.byteLength(part.text)
    case 'image':
      return imageTokens
    case 'audio':
      return Math.ceil(part.data.length / base64BytesPerAudioToken) + 1000
    default:
      // The text of a document is compressed in its file, and every page counts as an image too.
      return part.url.length * 4 + imageTokens
  }
}

export function boundEmbed(
  { price }: CatalogueEntry,
  { inputs, tokens = [], original }: EmbedCall,
): Bound | undefined {
  if (!costsMoney(price)) return undefined
  const given = bytesOf(inputs) + tokens.reduce((sum, list) => sum + list.length, 0)
  const inputTokens =
    given + tokensAroundMessage * (inputs.length + tokens.length) + boundNativeFields({ original })
  return priceBound(price, { inputTokens, outputTokens: 0 })
}

/** Checked first, because measuring every message of a free call would be wasted work. */
function costsMoney(price: CatalogueEntry['price']): boolean {
  return price.source !== 'unpriced' && price.source !== 'free'
}

/** The bound for these tokens; undefined when they are free. */
export function priceBound(
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
