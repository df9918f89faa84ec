import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ChatMessage, ModelCall } from './provider.ts'

/** A call as the SDK takes it. */
export function sdkCallOf(call: ModelCall, abortSignal: AbortSignal): LanguageModelV4CallOptions {
  const { maxTokens, temperature, topP, frequencyPenalty, presencePenalty, seed, stop, format } = call
  return {
    prompt: call.messages.map(sdkMessageOf),
    abortSignal,
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && stop.length > 0 && { stopSequences: [...stop] }),
    ...(format !== undefined && { responseFormat: responseFormatOf(format) }),
  }
}

function sdkMessageOf({ role, content }: ChatMessage): LanguageModelV4Prompt[number] {
  return role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] }
}

function responseFormatOf({
  schema,
}: NonNullable<ModelCall['format']>): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  return schema === undefined ? { type: 'json' } : { type: 'json', schema: schema as JSONSchema7 }
}
