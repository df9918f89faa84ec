import type { ServerResponse } from 'node:http'
import {
  argumentPieces,
  playSteps,
  type ReceivedRequest,
  type Refusal,
  type ScriptedServer,
  type Step,
  sendJson,
  sendRefusal,
  startScriptedServer,
} from './scripted-server.ts'

/*
 * A server with Gemini's wire format: generateContent, streamGenerateContent (server-sent events), embeddings and the paged
 * list of models. It has no model; the test writes its responses.
 *
 *   await using gemini = await startGeminiServer({ apiKey: 'AIza-right' })
 *   // GEMINI_BASE_URL=${gemini.baseUrl}, GEMINI_API_KEY=AIza-right
 *   gemini.script({ steps: [{ text: 'Hi' }, 'cut'] })                         // the next response breaks
 *   gemini.script({ status: 429, message: 'Quota exceeded' })                 // and the one after it is refused
 *   gemini.script({ steps: [{ raw: geminiChunk([{ functionCall: { name: 'look', args: {} } }]) }], finish: 'STOP' })
 *
 * Without a script it responds `The sky is blue.`
 */

interface GeminiAnswer {
  readonly steps?: readonly Step[]
  /** As on the wire: `cached` is part of `input`, and `thoughts` is not part of `output`. */
  readonly usage?: {
    readonly input: number
    readonly cached?: number
    readonly output: number
    readonly thoughts?: number
  }
  readonly finish?: 'STOP' | 'MAX_TOKENS' | 'SAFETY'
}

/** Instead of a response: hang forever, or close the connection. */
type GeminiReply = GeminiAnswer | Refusal | 'hang' | 'cut'

export interface GeminiServer extends ScriptedServer<GeminiReply> {
  /** The value of GEMINI_BASE_URL. */
  readonly baseUrl: string
}

interface GeminiServerOptions {
  /** Requests without this key are refused; undefined accepts every request. */
  readonly apiKey?: string
  /** How many models a page of the list has. */
  readonly pageSize?: number
}

const version = { modelVersion: 'gemini-2.5-flash', responseId: 'mAitaLmkHPPlz7IPvtfUqQ4' }

const listed = [
  model('gemini-2.5-flash', ['generateContent', 'countTokens'], { thinking: true }),
  model('gemini-2.0-flash', ['generateContent', 'countTokens']),
  model('gemini-embedding-001', ['embedContent']),
  model('imagen-4.0-generate-001', ['predict']),
]

function model(id: string, supportedGenerationMethods: readonly string[], more: object = {}) {
  return {
    name: `models/${id}`,
    version: '001',
    displayName: id,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods,
    ...more,
  }
}

export async function startGeminiServer(options: GeminiServerOptions = {}): Promise<GeminiServer> {
  const { apiKey, pageSize = 50 } = options
  const server = await startScriptedServer<GeminiReply>({
    modelsPath: '/v1beta/models',
    listModels: (path) => listModels(path, pageSize),
    checkKey: (headers) =>
      apiKey === undefined || headers['x-goog-api-key'] === apiKey ? undefined : wrongKey,
    refusalBody,
    answer: (request, takeReply, response) => answer(request, takeReply(), response),
  })
  return { ...server, baseUrl: `${server.url}/v1beta` }
}

const wrongKey: Refusal = { status: 400, message: 'API key not valid. Please pass a valid API key.' }

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

function refusalBody({ status, message }: Refusal): unknown {
  return {
    error: {
      code: status,
      message: message ?? `The server answered with ${status}.`,
      status: statusNames[status] ?? 'UNKNOWN',
    },
  }
}

function listModels(path: string, pageSize: number): unknown {
  const { searchParams } = new URL(path, 'http://localhost')
  const from = Number(searchParams.get('pageToken') ?? 0)
  const to = from + Math.min(pageSize, Number(searchParams.get('pageSize') ?? 50))
  return { models: listed.slice(from, to), ...(to < listed.length && { nextPageToken: String(to) }) }
}

/** One event of a stream: parts of the response. */
export function geminiChunk(parts: readonly object[], more: object = {}): string {
  const candidate = { content: { parts, role: 'model' }, index: 0, ...more }
  return `data: ${JSON.stringify({ candidates: [candidate], ...version })}\r\n\r\n`
}

async function answer(
  request: ReceivedRequest,
  reply: GeminiReply | undefined,
  response: ServerResponse,
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
  const [, id = '', action = ''] = /^\/v1beta\/models\/([^:]+):(\w+)/.exec(request.path) ?? []
  if (!listed.some(({ name }) => name === `models/${id}`)) {
    const message = `models/${id} is not found for API version v1beta, or is not supported for ${action}.`
    sendRefusal(response, { status: 404, message }, refusalBody)
  } else if (action === 'embedContent') {
    sendJson(response, 200, { embedding: { values: [1, 0] } })
  } else if (action === 'batchEmbedContents') {
    const { requests } = request.body
    const count = Array.isArray(requests) ? requests.length : 0
    sendJson(response, 200, { embeddings: Array.from({ length: count }, (_, at) => ({ values: [at, 0] })) })
  } else {
    await generate(action === 'streamGenerateContent', reply ?? {}, response)
  }
}

async function generate(isStreamed: boolean, reply: GeminiAnswer, response: ServerResponse): Promise<void> {
  const { steps = [{ text: 'The sky' }, { text: ' is blue.' }], finish = 'STOP' } = reply
  const { input = 11, cached = 0, output = 5, thoughts = 0 } = reply.usage ?? {}
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output + thoughts,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  }
  if (!isStreamed) {
    const text = steps.map((step) => (typeof step === 'object' && 'text' in step ? step.text : '')).join('')
    const candidate = { content: { parts: [{ text }], role: 'model' }, finishReason: finish, index: 0 }
    sendJson(response, 200, { candidates: [candidate], usageMetadata, ...version })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const isPlayed = await playSteps(response, steps, (step) => {
    if (step === 'ping') return '\r\n'
    if ('text' in step) return geminiChunk([{ text: step.text }])
    if ('thinking' in step) return geminiChunk([{ text: step.thinking, thought: true }])
    if ('toolCall' in step) {
      const { name } = step.toolCall
      const args: unknown = JSON.parse(argumentPieces(step.toolCall).join(''))
      return geminiChunk([{ functionCall: { name, args } }])
    }
    return `data: ${JSON.stringify({ error: step.error })}\r\n\r\n`
  })
  if (!isPlayed) return
  const last = { content: { parts: [{ text: '' }], role: 'model' }, finishReason: finish, index: 0 }
  response.end(`data: ${JSON.stringify({ candidates: [last], usageMetadata, ...version })}\r\n\r\n`)
}
