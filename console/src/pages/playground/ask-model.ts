import { ApiFailure, readApiFailure, unreachable } from '../../api/api-failure.ts'
import { readServerSentEvents } from '../../api/read-server-sent-events.ts'
import type { Send } from '../../api/send.ts'
import { type ChatRequest, chatPath } from './chat-request.ts'

/** The model that answered, and the attempts before it. */
export interface AnsweredBy {
  readonly callId: string
  readonly provider: string
  readonly model: string
  readonly attempts: number
  /** `hit` means that the answer was cached. */
  readonly cache: string
}

export interface TokenCounts {
  readonly input: number
  readonly cached: number | null
  readonly output: number
}

/** The parts of an answer, in their order. */
export type AnswerPart =
  | { readonly type: 'begun'; readonly by: AnsweredBy }
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'tokens'; readonly tokens: TokenCounts }

interface Chunk {
  readonly choices?: ReadonlyArray<{
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string | null }
    readonly finish_reason?: string | null
  }>
  readonly usage?: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly prompt_tokens_details?: { readonly cached_tokens: number }
  } | null
  readonly error?: OpenAiError
}

interface OpenAiError {
  readonly message: string
  readonly code: string
  readonly param?: string | null
}

interface AskOptions {
  readonly send: Send
  readonly origin: string
  /** Aborting the signal also stops the model. */
  readonly signal: AbortSignal
}

/** Sends a chat request and yields the streamed answer. Throws an ApiFailure, or the reason of the signal. */
export async function* askModel(
  { body, headers }: ChatRequest,
  { send, origin, signal }: AskOptions,
): AsyncGenerator<AnswerPart> {
  const response = await send(
    new Request(new URL(chatPath, origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      signal,
    }),
  )
  if (!response.ok || response.body === null) throw await readRefusal(response)
  yield { type: 'begun', by: readAnsweredBy(response.headers) }
  try {
    for await (const { data } of readServerSentEvents(response.body)) {
      if (data === '[DONE]') return
      yield* readChunk(JSON.parse(data) as Chunk, response)
    }
  } catch (cause) {
    throw signal.aborted || cause instanceof ApiFailure ? cause : unreachable(cause)
  }
  throw brokenOff(response)
}

function* readChunk({ choices, usage, error }: Chunk, response: Response): Generator<AnswerPart> {
  if (error !== undefined) throw failureOf(error, response.status, response)
  for (const { delta, finish_reason: reason } of choices ?? []) {
    if (delta?.reasoning_content) yield { type: 'thinking', text: delta.reasoning_content }
    if (delta?.content) yield { type: 'text', text: delta.content }
    if (reason) yield { type: 'finish', reason }
  }
  if (usage) {
    const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage
    yield { type: 'tokens', tokens: { input, cached: details?.cached_tokens ?? null, output } }
  }
}

function readAnsweredBy(headers: Headers): AnsweredBy {
  return {
    callId: headers.get('x-call-id') ?? '',
    provider: headers.get('x-model-provider') ?? '',
    model: decodeName(headers.get('x-model-used') ?? ''),
    attempts: Number(headers.get('x-model-attempts') ?? 1),
    cache: headers.get('x-cache') ?? '',
  }
}

/** The header has the name percent-encoded. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The OpenAI-compatible API has its own error format; any other body is read in the common format. */
async function readRefusal(response: Response): Promise<ApiFailure> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const error = isOpenAiError(body) ? body.error : undefined
  return error === undefined ? await readApiFailure(response) : failureOf(error, response.status, response)
}

function failureOf({ message, code, param }: OpenAiError, status: number, { headers }: Response): ApiFailure {
  return new ApiFailure({
    status,
    code,
    message,
    ...(param === null || param === undefined ? {} : { problems: [{ path: param, message }] }),
    requestId: headers.get('x-request-id') ?? undefined,
  })
}

function brokenOff({ headers }: Response): ApiFailure {
  return new ApiFailure({
    status: 0,
    code: 'answer_broke_off',
    message: 'The response stream ended early.',
    requestId: headers.get('x-request-id') ?? undefined,
  })
}

function isOpenAiError(body: unknown): body is { readonly error: OpenAiError } {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string' &&
    'code' in error &&
    typeof error.code === 'string'
  )
}
