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

/** For models without a known output limit. */
const defaultOutputTokens = 4096

/** Tokens that a provider adds around each message. */
const tokensAroundMessage = 16

/**
 * The most a call can cost, or undefined when the model is free or unpriced. A token is at least one byte, so there are no
 * more input tokens than bytes. The caller of the provider must limit each response to `maxTokens`.
 */
export function boundChat({ model, price }: CatalogueEntry, call: ModelCall): Bound | undefined {
  if (!costsMoney(price)) return undefined
  const otherInput = [call.format?.schema, call.tools, call.runtime].flatMap((value) =>
    value === undefined ? [] : JSON.stringify(value),
  )
  const inputTokens = call.messages.reduce(
    (sum, message) => sum + boundMessage(message),
    bytesOf(otherInput) + boundNativeFields(call),
  )
  const maxTokens = call.maxTokens ?? model.maxOutputTokens ?? defaultOutputTokens
  const { choices = 1 } = call
  const bound = priceBound(price, { inputTokens: inputTokens * choices, outputTokens: maxTokens * choices })
  return bound && { ...bound, maxTokens }
}

/** Fields that are passed on without being understood may be input as well. */
function boundNativeFields({ original }: Pick<ModelCall | EmbedCall, 'original'>): number {
  if (original === undefined || original.nativeFields.length === 0) return 0
  return Buffer.byteLength(JSON.stringify(original.body))
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
