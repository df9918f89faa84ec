import {
  type ChatBody,
  type EmbedBody,
  type EmbeddingsBody,
  type GenerateBody,
  readChat,
  readGenerate,
  runtimeFieldsOf,
} from '#kernel/native-api'
import type { EmbedCall, ModelCall } from '../../providers/provider.ts'

/*
 * Converts requests of the model runtime. Nodes of the cluster get the original body. Other providers get what has a counterpart there;
 * `runtime` has the fields that only nodes support.
 */

/** Converts the body of `generate`. */
export function generateCall(body: GenerateBody): ModelCall {
  const { stream = true } = body
  return {
    ...readGenerate(body),
    original: { protocol: 'ollama.generate', body, stream, nativeFields: [] },
  }
}

/** Converts the body of `chat`. */
export function chatCall(body: ChatBody): ModelCall {
  const { stream = true } = body
  return { ...readChat(body), original: { protocol: 'ollama.chat', body, stream, nativeFields: [] } }
}

/** Converts the body of `embed`. */
export function embedCall(body: EmbedBody): EmbedCall {
  const { model, input, dimensions, ...runtime } = body
  return {
    model,
    inputs: [input].flat(),
    dimensions,
    original: { protocol: 'ollama.embed', body, stream: false, nativeFields: runtimeFieldsOf(runtime) },
  }
}

/** Converts the body of the older `embeddings`. */
export function embeddingsCall({ prompt, ...others }: EmbeddingsBody): EmbedCall {
  return embedCall({ ...others, input: prompt })
}
