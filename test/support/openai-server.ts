import type { ServerResponse } from 'node:http'
import {
  playSteps,
  type ReceivedRequest,
  type Refusal,
  type ScriptedServer,
  type Step,
  type StepWriter,
  sendJson,
  sendRefusal,
  startScriptedServer,
} from './scripted-server.ts'

/*
 * A server with OpenAI's wire format: chat completions (streamed or not), embeddings and the list of models. It
 * has no model; the test writes its responses.
 *
 *   await using openai = await startOpenAiServer({ apiKey: 'sk-right' })
 *   // OPENAI_BASE_URL=${openai.baseUrl}, OPENAI_API_KEY=sk-right
 *   openai.script({ steps: [{ text: 'Hi' }, 'cut'] })                          // the next response breaks
 *   openai.script({ status: 429, headers: { 'retry-after': '7' } })            // and the one after it is refused
 *   openai.script({ steps: [{ text: 'Hi' }], usage: { input: 1000, cached: 400, output: 20 } })
 *   openai.requests.at(-1)?.body                                               // the request
 *   await (await openai.nextRequest('/chat/completions')).closed              // true when the caller disconnected early
 *
 * Without a script it responds `The sky is blue.`, as many of its pieces as `max_tokens` allows.
 */

interface OpenAiAnswer {
  readonly steps?: readonly Step[]
  /** `cached` is part of `input`. Null sends no usage at all, as some compatible servers do. */
  readonly usage?: { readonly input: number; readonly cached?: number; readonly output: number } | null
  readonly finish?: 'stop' | 'length' | 'content_filter'
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
    case 'POST /v1/chat/completions':
      await complete(request, model, reply ?? {}, response)
      return
    default: {
      const message = `Invalid URL (${request.method} ${request.path})`
      sendRefusal(response, { status: 404, message }, refusalBody)
    }
  }
}

function embeddings({ body }: ReceivedRequest, model: string, reply: OpenAiAnswer | undefined): unknown {
  const inputs = [body['input'] as string | readonly string[]].flat()
  const usual = inputs.map((input, index) => ({ index, embedding: [input.length, index, 0.5] }))
  const data = (reply?.data ?? usual).map((item) => ({ object: 'embedding', ...item }))
  const tokens = reply?.usage?.input ?? 8
  const usage = reply?.usage === null ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }
  return { object: 'list', data, model, ...usage }
}

async function complete(
  { body }: ReceivedRequest,
  model: string,
  reply: OpenAiAnswer,
  response: ServerResponse,
): Promise<void> {
  const most = Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? usualPieces.length)
  const steps = reply.steps ?? usualPieces.slice(0, most).map((text) => ({ text }))
  const cutShort = reply.steps === undefined && most < usualPieces.length
  const finish = reply.finish ?? (cutShort ? 'length' : 'stop')
  const usage = usageOf(reply, steps.length)
  const head = {
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    created,
    model,
    system_fingerprint: 'fp_44709d6fcb',
  }
  if (body['stream'] !== true) {
    const content = steps
      .map((step) => (typeof step === 'object' && 'text' in step ? step.text : ''))
      .join('')
    const message = { role: 'assistant', content, refusal: null }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }]
    sendJson(response, 200, { ...head, object: 'chat.completion', choices, ...usage })
    return
  }
  const wantsUsage =
    (body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true
  const chunk = (delta: object, reason: string | null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    ...(wantsUsage && { usage: null }),
  })
  const write: StepWriter = (step) => {
    if (step === 'ping') return ': keep-alive\n\n'
    if ('text' in step) return event(chunk({ content: step.text }, null))
    // Not OpenAI itself, but compatible servers do this.
    if ('thinking' in step) return event(chunk({ reasoning_content: step.thinking }, null))
    return event({ error: { param: null, code: null, ...step.error } })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(event(chunk({ role: 'assistant', content: '', refusal: null }, null)))
  if (!(await playSteps(response, steps, write))) return
  response.write(event(chunk({}, finish)))
  if (wantsUsage && reply.usage !== null) response.write(event({ ...chunk({}, null), choices: [], ...usage }))
  response.end('data: [DONE]\n\n')
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
