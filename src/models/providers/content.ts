import type { ChatMessage, Content, ContentPart, ModelCall, ModelPart } from './provider.ts'

/** The text of a content, without images and other media. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
}

/** The parts of a content; a text is one part. */
export function partsOf(content: Content): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The number of bytes that a part of a response adds to the output. */
export function outputBytesOf(part: ModelPart): number {
  return part.type === 'raw' ? part.outputBytes : Buffer.byteLength(outputOf(part))
}

/** The text that a part of a response adds to the output; empty for a part without text. */
export function outputOf(part: ModelPart): string {
  if (part.type === 'tool_call') return part.name
  return 'text' in part ? part.text : ''
}

/** An ability that a call needs of its model, by the name that the catalogue has for it. */
export type CallFeature = 'tools' | 'vision' | 'audio' | 'files'

const featureOfPart: Readonly<Record<ContentPart['type'], CallFeature | undefined>> = {
  text: undefined,
  image: 'vision',
  audio: 'audio',
  file: 'files',
}

/** The abilities that a call needs. */
export function featuresOf({
  messages,
  tools = [],
}: Pick<ModelCall, 'messages' | 'tools'>): ReadonlySet<CallFeature> {
  const features = new Set<CallFeature>()
  if (tools.length > 0 || messages.some(usesTools)) features.add('tools')
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const { type } of content) {
      const feature = featureOfPart[type]
      if (feature !== undefined) features.add(feature)
    }
  }
  return features
}

function usesTools(message: ChatMessage): boolean {
  return message.role === 'tool' || (message.role === 'assistant' && (message.toolCalls ?? []).length > 0)
}
