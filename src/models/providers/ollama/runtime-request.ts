import type { ChatMessage, EmbedCall, ModelCall } from '../provider.ts'
import { unsupportedBy } from '../unsupported-options.ts'

type Fields = Readonly<Record<string, unknown>>

/** Converts a call to a request of the model runtime, which is always streamed. */
export function runtimeRequestOf(call: ModelCall): {
  readonly operation: 'generate' | 'chat'
  readonly body: Fields
} {
  const { model, kind, format, runtime = {} } = call
  if (runtime['tools'] !== undefined) throw unsupportedBy('A model of the cluster', 'tools are not supported')
  const options = { ...fieldsOf(runtime['options']), ...optionsOf(call) }
  return {
    operation: kind,
    body: {
      ...runtime,
      ...(kind === 'generate'
        ? promptOf(call.messages)
        : { messages: withOriginalFields(call.messages, runtime['messages']) }),
      model,
      stream: true,
      ...(format !== undefined && { format: format.schema ?? 'json' }),
      ...(Object.keys(options).length > 0 && { options }),
    },
  }
}

export function runtimeEmbedOf({ model, inputs, dimensions }: EmbedCall): Fields {
  return { model, input: inputs, ...(dimensions !== undefined && { dimensions }) }
}

function optionsOf(call: ModelCall): Fields {
  const { maxTokens, temperature, topP, seed, stop, frequencyPenalty, presencePenalty } = call
  return {
    ...(maxTokens !== undefined && { num_predict: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && stop.length > 0 && { stop }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
  }
}

function promptOf(messages: readonly ChatMessage[]): Fields {
  const prompts = messages.filter(({ role }) => role !== 'system')
  if (prompts.length > 1 || prompts.some(({ role }) => role !== 'user')) {
    throw unsupportedBy('A model of the cluster', 'generate completes a single prompt, not a conversation')
  }
  const systems = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  return { prompt: prompts[0]?.content ?? '', ...(systems.length > 0 && { system: systems.join('\n\n') }) }
}

/** Restores the fields of messages besides text, such as images. */
function withOriginalFields(messages: readonly ChatMessage[], original: unknown): readonly unknown[] {
  const given: readonly unknown[] = Array.isArray(original) ? original : []
  return messages.map(({ role, content }, index) => {
    const more = fieldsOf(given[index])
    return more['role'] === role && more['content'] === content ? more : { role, content }
  })
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
