import { setTimeout as sleep } from 'node:timers/promises'
import type { APICallError, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { FinishReason, ModelPart, TokenUsage } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import type { ResponseTimeout } from './response-timeout.ts'
import { failureOfStatus, readErrorBody, readRetrySeconds, toSafeMessage } from './status-failure.ts'

type SdkPart = LanguageModelV4StreamPart
type Finish = Extract<SdkPart, { type: 'finish' }>

interface ReadSdkPartsOptions {
  readonly label: string
  readonly stream: ReadableStream<SdkPart>
  readonly timeout: ResponseTimeout
  /** Reads reasoning from a raw chunk, for providers whose reasoning the SDK does not parse. */
  readonly readThinking: (raw: unknown) => string | undefined
}

/** How long the connection may take to end after the last part, before it is closed. */
const drainMs = 1000

/** Converts the parts of an SDK stream. Throws the errors that the SDK reports, and a ProviderFailure without an end. */
export async function* readSdkParts(options: ReadSdkPartsOptions): AsyncGenerator<ModelPart> {
  const { label, stream, timeout, readThinking } = options
  const reader = stream.getReader()
  const readPart = createPartReader(readThinking)
  for (;;) {
    const { done, value } = await timeout.waitFor(reader.read())
    if (done)
      throw new ProviderFailure({
        kind: 'malformed',
        message: `${label} ended the response without its last part.`,
      })
    if (value.type === 'error') throw value.error
    if (value.type === 'finish') {
      await drain(reader)
      yield readFinish(label, value)
      return
    }
    for (const part of readPart(value)) {
      timeout.onFirstPart()
      yield part
    }
  }
}

/** Reads the stream to its end, so that the connection can be reused. */
async function drain(reader: ReadableStreamDefaultReader<SdkPart>): Promise<void> {
  const over = new AbortController()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  try {
    await Promise.race([rest(), sleep(drainMs, undefined, { signal: over.signal })])
  } catch {
    // The response is complete, however the connection ends.
  } finally {
    over.abort()
  }
}

/** Converts one part at a time. Tool calls are numbered in the order of their start. */
function createPartReader(
  readThinking: (raw: unknown) => string | undefined,
): (part: SdkPart) => readonly ModelPart[] {
  const calls = new Map<string, { readonly index: number; hasArguments: boolean }>()

  function start(id: string, name: string): ModelPart {
    const index = calls.size
    calls.set(id, { index, hasArguments: false })
    return { type: 'tool_call', index, id, name }
  }

  function argumentsOf(id: string, text: string): readonly ModelPart[] {
    const call = calls.get(id)
    if (call === undefined || text === '') return []
    call.hasArguments = true
    return [{ type: 'tool_arguments', index: call.index, text }]
  }

  return (part) => {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? [] : [{ type: 'text', text: part.delta }]
      case 'reasoning-delta':
        return [
          ...(part.delta === '' ? [] : [{ type: 'thinking' as const, text: part.delta }]),
          ...endOfThinking(part.providerMetadata),
        ]
      case 'reasoning-end':
        return endOfThinking(part.providerMetadata)
      case 'tool-input-start':
        return [start(part.id, part.toolName)]
      case 'tool-input-delta':
        return argumentsOf(part.id, part.delta)
      case 'tool-call': {
        // Some providers send a call only as a whole.
        const known = calls.get(part.toolCallId)
        const opening = known === undefined ? [start(part.toolCallId, part.toolName)] : []
        return known?.hasArguments === true ? [] : [...opening, ...argumentsOf(part.toolCallId, part.input)]
      }
      case 'raw': {
        const text = readThinking(part.rawValue)
        return text === undefined || text === '' ? [] : [{ type: 'thinking', text }]
      }
      default:
        return []
    }
  }
}

type Metadata = Extract<SdkPart, { type: 'reasoning-end' }>['providerMetadata']

/** The signature of a block of reasoning: Anthropic sends it with an empty delta, Gemini with the end of the block. */
function endOfThinking(metadata: Metadata): readonly ModelPart[] {
  const signature = metadata?.['anthropic']?.['signature'] ?? metadata?.['google']?.['thoughtSignature']
  return typeof signature === 'string' ? [{ type: 'thinking_end', signature }] : []
}

const finishes: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason | undefined>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  other: 'other',
  // The response was cut off.
  error: undefined,
  interrupted: undefined,
}

function readFinish(label: string, { finishReason, usage }: Finish): ModelPart {
  const finish = finishes[finishReason.unified]
  // The SDK reports `other` when the provider sent no reason before its stream ended.
  const isMissing = finishReason.unified === 'other' && finishReason.raw === undefined
  if (finish === undefined || isMissing) {
    throw new ProviderFailure({
      kind: 'malformed',
      message: `${label} ended the response without its last part.`,
    })
  }
  return { type: 'end', finish, usage: readUsage(usage) }
}

/** `total` includes the tokens read from and written to the cache of the provider. */
function readUsage({ inputTokens, outputTokens }: Finish['usage']): TokenUsage {
  return {
    inputTokens: inputTokens.total ?? null,
    cachedInputTokens: inputTokens.cacheRead ?? null,
    cacheWriteTokens: inputTokens.cacheWrite ?? null,
    outputTokens: outputTokens.total ?? null,
  }
}

interface ExplainOptions {
  readonly label: string
  readonly key: string | undefined
}

/** Converts an error that the SDK throws, or reports in the stream, to a ProviderFailure. */
export async function explainSdkError(error: unknown, options: ExplainOptions): Promise<ProviderFailure> {
  const ours = causesOf(error).find((cause) => cause instanceof ProviderFailure)
  if (ours !== undefined) return ours
  const { label } = options
  const sdk = await import('@ai-sdk/provider')
  if (sdk.APICallError.isInstance(error)) return explainCall(error, options)
  if (
    sdk.UnsupportedFunctionalityError.isInstance(error) ||
    sdk.TooManyEmbeddingValuesForCallError.isInstance(error)
  ) {
    const message = `${label} does not support this request: ${toSafeMessage(error.message)}`
    return new ProviderFailure({ kind: 'unsupported', message, cause: error })
  }
  const frame = readErrorFrame(error)
  return frame === undefined
    ? malformedResponse(label, error)
    : failureOfStatus({ ...options, ...frame, cause: error })
}

function explainCall(error: APICallError, options: ExplainOptions): ProviderFailure {
  const { statusCode: status, responseHeaders = {}, data } = error
  const { label } = options
  if (status === undefined || status < 300) {
    const connectionError = causesOf(error).find(isConnectionError)
    if (status !== undefined && connectionError === undefined) return malformedResponse(label, error)
    const message =
      status === undefined
        ? `${label} cannot be reached${connectionError === undefined ? '' : ` (${connectionError.code})`}.`
        : `${label} closed the connection in the middle of the response.`
    return new ProviderFailure({ kind: 'unavailable', message, cause: error })
  }
  return failureOfStatus({
    ...options,
    ...readErrorBody(data),
    status,
    retryAfterSeconds: readRetrySeconds(responseHeaders['retry-after']),
    cause: error,
  })
}

function malformedResponse(label: string, cause: unknown): ProviderFailure {
  const message = `${label} sent an invalid response.`
  return new ProviderFailure({ kind: 'malformed', message, cause })
}

/** An error in the middle of a stream, with the status that the SDK derived for it. */
function readErrorFrame(error: unknown) {
  if (typeof error !== 'object' || error === null || error instanceof Error) return undefined
  const body = readErrorBody(error)
  if (body.providerMessage === undefined) return undefined
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  return { ...body, status, retryAfterSeconds: undefined }
}

/** The error and its causes, bounded because causes may form a cycle. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  let next = error
  while (next !== undefined && causes.length < 8) {
    causes.push(next)
    next = next instanceof Error ? next.cause : undefined
  }
  return causes
}

function isConnectionError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
