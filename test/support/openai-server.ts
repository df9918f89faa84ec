import type { ServerResponse } from 'node:http'
import {
  argumentPieces,
  contentOf,
  playSteps,
  type ReceivedRequest,
  type Refusal,
  type ScriptedServer,
  type Step,
  type StepWriter,
  sendJson,
  sendRefusal,
  sendWhole,
  startScriptedServer,
} from './scripted-server.ts'

/*
 * A server with OpenAI's wire format: chat completions and completions (streamed or not), embeddings and the list of
 * models. It has no model; the test writes its responses. `n` and `logprobs` of a request have their effect.
 *
 *   await using openai = await startOpenAiServer({ apiKey: 'sk-right' })
 *   // OPENAI_BASE_URL=${openai.baseUrl}, OPENAI_API_KEY=sk-right
 *   openai.script({ steps: [{ text: 'Hi' }, 'cut'] })                          // the next response breaks
 *   openai.script({ status: 429, headers: { 'retry-after': '7' } })            // and the one after it is refused
 *   openai.script({ steps: [{ toolCall: { id: 'call_1', name: 'add', arguments: ['{"a"', ':1}'] } }] })
 *   openai.script({ steps: [{ text: 'Hi' }], usage: { input: 1000, cached: 400, output: 20 } })
 *   openai.lastCall()?.body                                                    // the request
 *   await (await openai.nextRequest('/chat/completions')).closed              // true when the caller disconnected early
 *
 * Without a script it responds `The sky is blue.`, as many of its pieces as `max_tokens` allows.
 */

interface OpenAiAnswer {
  readonly steps?: readonly Step[]
  /** `cached` is part of `input`. Null sends no usage at all, as some compatible servers do. */
  readonly usage?: { readonly input: number; readonly cached?: number; readonly output: number } | null
  /** Default: `tool_calls` after a tool call, else `stop`. */
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** Whether a stream ends with `[DONE]`; some compatible servers end it without. */
  readonly done?: boolean
  /** For embeddings: one vector for each input, in this order on the wire. */
  readonly data?: readonly { readonly index: number; readonly embedding: readonly number[] }[]
}

/** Instead of a response: hang forever, or close the connection. */
type OpenAiReply = OpenAiAnswer | Refusal | 'hang' | 'cut'

export interface OpenAiServer extends ScriptedServer<OpenAiReply> {
  /** The value of OPENAI_BASE_URL. */
  readonly baseUrl: string
}

export interface OpenAiServerOptions {
  /** Requests without this key are refused; undefined accepts every request. */
  readonly apiKey?: string
  readonly models?: readonly string[]
}

const created = 1_777_916_264
const usualPieces = ['The', ' sky', ' is', ' blue', '.']

export async function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  const { apiKey, models = ['gpt-4o-mini', 'text-embedding-3-small'] } = options
  const server = await startScriptedServer<OpenAiReply>({
    modelsPath: '/v1/models',
    listModels: () => ({
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created, owned_by: 'system' })),
    }),
    checkKey: ({ authorization }) =>
      apiKey === undefined || authorization === `Bearer ${apiKey}` ? undefined : wrongKey(authorization),
    refusalBody,
    answer: (request, takeReply, response) => answer(request, takeReply(), response, models),
  })
  return { ...server, baseUrl: `${server.url}/v1` }
}

function wrongKey(shown: string | undefined): Refusal {
  return {
    status: 401,
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: `Incorrect API key provided: ${shown?.slice(7) ?? ''}. You can find your API key at https://platform.openai.com/account/api-keys.`,
  }
}

function refusalBody({ status, message, type, code }: Refusal): unknown {
  return {
    error: {
      message: message ?? `The server answered with ${status}.`,
      type: type ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: null,
      code: code ?? null,
    },
  }
}

async function answer(
  request: ReceivedRequest,
  reply: OpenAiReply | undefined,
  response: ServerResponse,
  models: readonly string[],
): Promise<void> {
  if (reply === 'hang') return
  if (reply === 'cut') {
    response.socket?.destroy()
    return
  }
  if (reply !== undefined && 'status' in reply) {
    sendRefusal(response, reply, refusalBody)
    return
  }
  const model = String(request.body['model'])
  if (!models.includes(model)) {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`
    sendRefusal(response, { status: 404, code: 'model_not_found', message }, refusalBody)
    return
  }
  switch (`${request.method} ${request.path}`) {
    case 'POST /v1/embeddings':
      sendJson(response, 200, embeddings(request, model, reply))
      return
    case 'POST /v1/chat/completions': {
      const message = findMessagesProblem(request.body)
      if (message === undefined) await complete(request, chatFormat, model, reply ?? {}, response)
      else sendRefusal(response, { status: 400, message }, refusalBody)
      return
    }
    case 'POST /v1/completions':
      await complete(request, textFormat, model, reply ?? {}, response)
      return
    default: {
      const message = `Invalid URL (${request.method} ${request.path})`
      sendRefusal(response, { status: 404, message }, refusalBody)
    }
  }
}

function embeddings({ body }: ReceivedRequest, model: string, reply: OpenAiAnswer | undefined): unknown {
  const input = body['input'] as string | readonly (string | number | readonly number[])[]
  // A list of numbers is one input.
  const inputs = typeof input === 'string' || typeof input[0] === 'number' ? [input] : input
  const usual = inputs.map((one, index) => ({ index, embedding: [sizeOf(one), index, 0.5] }))
  const data = (reply?.data ?? usual).map(({ index, embedding }) => ({
    object: 'embedding',
    index,
    embedding: body['encoding_format'] === 'base64' ? toBase64(embedding) : embedding,
  }))
  const tokens = reply?.usage?.input ?? 8
  const usage = reply?.usage === null ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }
  return { object: 'list', data, model, ...usage }
}

function toBase64(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64')
}

/** The difference between chat completions and completions. */
interface Format {
  readonly object: string
  readonly chunkObject: string
  readonly opening: object | undefined
  whole(content: ReturnType<typeof contentOf>): object
  piece(delta: Delta): object
}

type Delta = { readonly content?: string } & Readonly<Record<string, unknown>>

const chatFormat: Format = {
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  opening: { delta: { role: 'assistant', content: '', refusal: null } },
  whole: ({ text, thinking, toolCalls }) => ({
    message: {
      role: 'assistant',
      content: text === '' && toolCalls.length > 0 ? null : text,
      refusal: null,
      annotations: [],
      ...(thinking.length > 0 && { reasoning_content: thinking.map((step) => step.thinking).join('') }),
      ...(toolCalls.length > 0 && {
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: argumentPieces(call).join('') },
        })),
      }),
    },
  }),
  piece: (delta) => ({ delta }),
}

const textFormat: Format = {
  object: 'text_completion',
  chunkObject: 'text_completion',
  opening: undefined,
  whole: ({ text }) => ({ text }),
  piece: ({ content = '' }) => ({ text: content }),
}

const sizeOf = (input: unknown) => (typeof input === 'string' || Array.isArray(input) ? input.length : 0)

async function complete(
  { body }: ReceivedRequest,
  format: Format,
  model: string,
  reply: OpenAiAnswer,
  response: ServerResponse,
): Promise<void> {
  const most = Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? usualPieces.length)
  const steps = reply.steps ?? usualPieces.slice(0, most).map((text) => ({ text }))
  const cutShort = reply.steps === undefined && most < usualPieces.length
  const content = contentOf(steps)
  const finish = reply.finish ?? (cutShort ? 'length' : content.toolCalls.length > 0 ? 'tool_calls' : 'stop')
  const usage = usageOf(reply, steps.length)
  const indexes = Array.from({ length: Number(body['n'] ?? 1) }, (_unused, index) => index)
  const head = {
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    created,
    model,
    system_fingerprint: 'fp_44709d6fcb',
  }
  const logprobsOf = (texts: readonly string[]) => (body['logprobs'] === true ? logprobs(texts) : null)
  if (body['stream'] !== true) {
    const texts = steps.flatMap((step) => (typeof step === 'object' && 'text' in step ? step.text : []))
    const choices = indexes.map((index) => ({
      index,
      ...format.whole(content),
      logprobs: logprobsOf(texts),
      finish_reason: finish,
    }))
    sendWhole(response, steps, { ...head, object: format.object, choices, ...usage })
    return
  }
  const wantsUsage =
    (body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true
  const chunkOf = (choices: readonly object[]) => ({
    ...head,
    object: format.chunkObject,
    choices,
    ...(wantsUsage && { usage: null }),
  })
  /** The piece for each of the `n` responses. */
  const events = (choice: object, texts: readonly string[] = [], reason: string | null = null) =>
    indexes
      .map((index) =>
        event(
          chunkOf([
            {
              index,
              ...choice,
              logprobs: texts.length === 0 ? null : logprobsOf(texts),
              finish_reason: reason,
            },
          ]),
        ),
      )
      .join('')
  let calls = 0
  const write: StepWriter = (step) => {
    if (step === 'ping') return ': keep-alive\n\n'
    if ('text' in step) return events(format.piece({ content: step.text }), [step.text])
    // Not OpenAI itself, but compatible servers do this.
    if ('thinking' in step) return events(format.piece({ reasoning_content: step.thinking }))
    if ('toolCall' in step) {
      const { id, name } = step.toolCall
      const index = calls++
      const first = { index, id, type: 'function', function: { name, arguments: '' } }
      const rest = argumentPieces(step.toolCall).map((text) => ({ index, function: { arguments: text } }))
      return [first, ...rest].map((call) => events(format.piece({ tool_calls: [call] }))).join('')
    }
    return event({ error: { param: null, code: null, ...step.error } })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  if (format.opening !== undefined) response.write(events(format.opening))
  if (!(await playSteps(response, steps, write))) return
  response.write(events(format.piece({}), [], finish))
  if (wantsUsage && reply.usage !== null) response.write(event({ ...chunkOf([]), ...usage }))
  response.end(reply.done === false ? '' : 'data: [DONE]\n\n')
}

function logprobs(texts: readonly string[]): object {
  const content = texts.map((token) => {
    const scored = { token, logprob: -0.125, bytes: [...Buffer.from(token)] }
    return { ...scored, top_logprobs: [scored] }
  })
  return { content, refusal: null }
}

interface ReceivedMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: unknown } }[]
}

/** What OpenAI refuses in a conversation, with its messages. Undefined for a valid one. */
function findMessagesProblem({ messages, stream, stream_options: options }: ReceivedRequest['body']) {
  if (options !== undefined && stream !== true) {
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
  }
  let open: readonly string[] = []
  for (const [index, message] of (messages as readonly ReceivedMessage[]).entries()) {
    const { role, content, tool_call_id: id = '', tool_calls: calls = [] } = message
    if (role === 'tool') {
      if (!open.includes(id)) {
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      }
      open = open.filter((each) => each !== id)
      continue
    }
    if (open.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`
    }
    if (
      role === 'assistant' ? calls.length === 0 && (content ?? null) === null : (content ?? null) === null
    ) {
      return `Invalid value for 'content': expected a string, got null. (messages.${index})`
    }
    if (calls.some((call) => typeof call.function.arguments !== 'string')) {
      return `Invalid type for 'messages[${index}].tool_calls[0].function.arguments': expected a string.`
    }
    open = calls.map((call) => call.id)
  }
  return undefined
}

function usageOf({ usage }: OpenAiAnswer, pieces: number): object {
  if (usage === null) return {}
  const { input = 11, cached = 0, output = pieces } = usage ?? {}
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
  }
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
