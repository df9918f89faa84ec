import type { ChatMessage, EmbedCall, ModelCall } from '../../providers/provider.ts'
import type { ChatBody, EmbedBody, GenerateBody } from './bodies.ts'

type Options = NonNullable<GenerateBody['options']>

/** A body of `generate` as a call. */
export function generateCall(body: GenerateBody): ModelCall {
  const { model, prompt = '', system, format, options, stream: _stream, ...runtime } = body
  const messages: ChatMessage[] = [{ role: 'user', content: prompt }]
  if (system !== undefined) messages.unshift({ role: 'system', content: system })
  return callOf({ model, kind: 'generate', messages }, { format, options, runtime })
}

/** A body of `chat` as a call. */
export function chatCall(body: ChatBody): ModelCall {
  const { model, messages, format, options, stream: _stream, ...runtime } = body
  const plain = messages.map(({ role, content }): ChatMessage => ({ role, content }))
  // What only nodes understand stands inside the messages, so they get those as they came.
  const carriesMore = messages.some(({ thinking, images }) => thinking !== undefined || images !== undefined)
  return callOf(
    { model, kind: 'chat', messages: plain },
    { format, options, runtime: carriesMore ? { ...runtime, messages } : runtime },
  )
}

export function embedCall({ model, input, dimensions }: EmbedBody): EmbedCall {
  return { model, inputs: [input].flat(), dimensions }
}

function callOf(
  call: ModelCall,
  more: {
    readonly format: GenerateBody['format']
    readonly options: Options | undefined
    readonly runtime: Readonly<Record<string, unknown>>
  },
): ModelCall {
  const { neutral, others } = splitOptions(more.options ?? {})
  const runtime = { ...more.runtime, ...(Object.keys(others).length > 0 && { options: others }) }
  return {
    ...call,
    ...neutral,
    ...formatOf(more.format),
    ...(Object.keys(runtime).length > 0 && { runtime }),
  }
}

function formatOf(format: GenerateBody['format']): Pick<ModelCall, 'format'> {
  if (format === undefined || format === '') return {}
  return { format: format === 'json' ? {} : { schema: format } }
}

/** Tells what every provider understands from what only nodes do. */
function splitOptions(options: Options) {
  const { temperature, top_p, stop, presence_penalty, frequency_penalty, num_predict, seed, ...others } =
    options
  // Numbers below these are words of the runtime's own: without end, as long as the context, by chance.
  const maxTokens = num_predict !== undefined && num_predict >= 1 ? num_predict : undefined
  const fixedSeed = seed !== undefined && seed >= 0 ? seed : undefined
  return {
    neutral: {
      temperature,
      topP: top_p,
      stop,
      presencePenalty: presence_penalty,
      frequencyPenalty: frequency_penalty,
      maxTokens,
      seed: fixedSeed,
    },
    others: {
      ...others,
      ...(num_predict !== undefined && maxTokens === undefined && { num_predict }),
      ...(seed !== undefined && fixedSeed === undefined && { seed }),
    },
  }
}
