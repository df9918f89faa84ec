import { partsOf } from './content.ts'
import type { ChatMessage, ContentPart, ModelCall } from './provider.ts'
import type { AccountTokenizer } from './tokenizer.ts'

/* What providers count besides text, as far as they document it. */
const tokensAroundMessage = 4
const tokensAroundTool = 12
/** Anthropic counts at most about 1,600 tokens for an image, OpenAI 765 for a large one. */
const imageTokens = 1600
/** A page of a document is text and an image. */
const documentTokens = 3000
const base64BytesPerPage = 100_000
const base64BytesPerAudioToken = 160

/** The approximate number of input tokens of a call. */
export async function estimateInputTokens(
  tokenizer: Pick<AccountTokenizer, 'estimate'>,
  { messages, tools = [], format }: Pick<ModelCall, 'messages' | 'tools' | 'format'>,
): Promise<number> {
  const texts = [
    ...messages.flatMap(textsOf),
    ...tools.flatMap(({ name, description = '', parameters }) => [
      name,
      description,
      JSON.stringify(parameters),
    ]),
    ...(format?.schema === undefined ? [] : [JSON.stringify(format.schema)]),
  ]
  const media = messages
    .flatMap(({ content }) => partsOf(content))
    .reduce((sum, part) => sum + mediaTokens(part), 0)
  const around = tokensAroundMessage * messages.length + tokensAroundTool * tools.length
  return (await tokenizer.estimate(texts.filter((text) => text !== '').join('\n'))) + media + around
}

function textsOf(message: ChatMessage): readonly string[] {
  const { toolCalls = [], thinking = [] } = message.role === 'assistant' ? message : {}
  return [
    ...partsOf(message.content).flatMap((part) => (part.type === 'text' ? part.text : [])),
    ...thinking.map(({ text }) => text),
    ...toolCalls.flatMap(({ name, arguments: input }) => [name, input]),
  ]
}

function mediaTokens(part: ContentPart): number {
  if (part.type === 'image') return imageTokens
  if (part.type === 'audio') return Math.ceil(part.data.length / base64BytesPerAudioToken)
  if (part.type === 'text') return 0
  return documentTokens * Math.max(1, Math.ceil(part.url.length / base64BytesPerPage))
}
