import type { Failure } from '#kernel/errors'
import {
  createLineWriter,
  type NativeFormat,
  type Stopwatch,
  writeFinal,
  writeVectors,
} from '#kernel/native-api'
import type { ChatResponse, EmbedResponse } from '../../gateway/contract.ts'
import { type CollectedResponse, thinkingTextOf } from '../responses/collect-response.ts'
import type { StreamWriter } from '../responses/send-stream.ts'

/** The fields of a call that the response format of the model runtime contains. */
export interface RuntimeFormat {
  readonly kind: 'generate' | 'chat'
  readonly response: ChatResponse
  readonly stopwatch: Stopwatch
  /** The `error` of a stream that breaks. */
  readonly describeFailure: (failure: Failure) => unknown
}

/** Writes one line of JSON for each part. The format has no comments, so there is no heartbeat; a tool call is sent as a whole. */
export function createRuntimeWriter(format: RuntimeFormat): StreamWriter {
  return {
    contentType: 'application/x-ndjson',
    opening: '',
    part: createLineWriter(nativeFormatOf(format)),
    failure: (failure) => `${JSON.stringify({ error: format.describeFailure(failure) })}\n`,
    heartbeat: undefined,
  }
}

/** The response without streaming. */
export function writeWhole(format: RuntimeFormat, collected: CollectedResponse) {
  const { text, toolCalls, end } = collected
  return writeFinal(nativeFormatOf(format), { text, thinking: thinkingTextOf(collected), toolCalls }, end)
}

/** The response to `embed`, unchanged when it comes from a node. */
export function writeEmbeddings({ model, embeddings }: EmbedResponse, totalMs: number) {
  return embeddings.raw ?? writeVectors(model, embeddings, totalMs)
}

function nativeFormatOf({ kind, stopwatch, response: { model, cache } }: RuntimeFormat): NativeFormat {
  return { kind, model, stopwatch, isCached: cache === 'hit' }
}
