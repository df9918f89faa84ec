import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/*
 * The common part of the fake providers: they listen on a free port, record their requests
 * and play the script of the test. Each of them adds its own wire format.
 */

/** A call of a tool; the arguments are JSON, as one text or in the pieces in which they are streamed. */
export interface ScriptedToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string | readonly string[]
}

/** A piece of the content of a response. */
type ContentStep =
  | { readonly text: string }
  /** With a signature, the block of reasoning ends here. */
  | { readonly thinking: string; readonly signature?: string }
  | { readonly toolCall: ScriptedToolCall }

/** One action while a server streams a response, in the order of the script. */
export type Step =
  | ContentStep
  /** Sent unchanged. */
  | { readonly raw: string }
  /** An error event in the provider's own format. */
  | { readonly error: { readonly type: string; readonly message: string; readonly code?: string } }
  | { readonly delayMs: number }
  | { readonly until: Promise<unknown> }
  | 'ping'
  /** Closes the connection in the middle of the response. */
  | 'cut'
  /** Sends nothing more, and does not close. */
  | 'hang'
  /** Ends the response cleanly, but before its finish event. */
  | 'end'

/** An error instead of a response; `body` replaces the provider's own format. */
export interface Refusal {
  readonly status: number
  readonly message?: string
  readonly type?: string
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed; undefined when there was none. */
  readonly body: Readonly<Record<string, unknown>>
  /** Resolves when the connection of the response is closed: true when the response was incomplete. */
  readonly closed: Promise<boolean>
}

export interface ScriptedServer<Reply> extends AsyncDisposable {
  readonly url: string
  /** All requests, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** The last request to a model. A platform also requests the list of models, at any time. */
  lastCall(): ReceivedRequest | undefined
  /** The replies to the next completions or embeddings, one each; then default replies again. */
  script(...replies: readonly Reply[]): void
  /** The reply to the list of models from now on; `usual` for the correct list. */
  scriptModels(reply: Refusal | 'hang' | 'cut' | 'usual'): void
  /** Resolves with the next request whose path ends so, also when it arrived before the call. */
  nextRequest(pathEnd: string): Promise<ReceivedRequest>
  /** Closes the port and every connection; `open` takes the same port again. */
  close(): Promise<void>
  open(): Promise<void>
}

interface ScriptedServerOptions<Reply> {
  readonly modelsPath: string
  readonly listModels: (path: string) => unknown
  /** Undefined when the request may pass. */
  readonly checkKey: (headers: IncomingHttpHeaders) => Refusal | undefined
  readonly refusalBody: (refusal: Refusal) => unknown
  readonly answer: (
    request: ReceivedRequest,
    /** The next reply of the script; undefined for the default one. */
    takeReply: () => Reply | undefined,
    response: ServerResponse,
  ) => Promise<void>
}

export async function startScriptedServer<Reply>(
  options: ScriptedServerOptions<Reply>,
): Promise<ScriptedServer<Reply>> {
  const requests: ReceivedRequest[] = []
  const replies: Reply[] = []
  let modelsReply: Refusal | 'hang' | 'cut' | 'usual' = 'usual'
  const seen = new Map<string, number>()
  let told = Promise.withResolvers<void>()

  const server = createServer((incoming, response) => {
    const { promise: closed, resolve } = Promise.withResolvers<boolean>()
    response.on('close', () => resolve(!response.writableFinished))
    const chunks: Buffer[] = []
    incoming.on('error', () => {})
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const request: ReceivedRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
        closed,
      }
      requests.push(request)
      told.resolve()
      told = Promise.withResolvers()
      void answer(request, response)
    })
  })
  // On a busy machine the default of 5 s closes a connection that the client is about to use again.
  server.keepAliveTimeout = 60_000

  async function answer(request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const refusal = options.checkKey(request.headers)
    const path = request.path.split('?', 1)[0] ?? ''
    if (refusal !== undefined) sendRefusal(response, refusal, options.refusalBody)
    else if (request.method === 'GET' && path === options.modelsPath) answerModels(request, response)
    else await options.answer(request, () => replies.shift(), response)
  }

  function answerModels(request: ReceivedRequest, response: ServerResponse): void {
    if (modelsReply === 'hang') return
    if (modelsReply === 'cut') response.socket?.destroy()
    else if (modelsReply === 'usual') sendJson(response, 200, options.listModels(request.path))
    else sendRefusal(response, modelsReply, options.refusalBody)
  }

  // Not one that the system gives out: another server could get it between `close` and `open`.
  const port = await findFreePort()
  const open = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await open()
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    lastCall: () => requests.findLast(({ method }) => method === 'POST'),
    script: (...more) => void replies.push(...more),
    scriptModels(reply) {
      modelsReply = reply
    },
    async nextRequest(pathEnd) {
      const index = seen.get(pathEnd) ?? 0
      seen.set(pathEnd, index + 1)
      for (;;) {
        const found = requests.filter(({ path }) => path.endsWith(pathEnd))[index]
        if (found !== undefined) return found
        await told.promise
      }
    },
    close,
    open,
    [Symbol.asyncDispose]: close,
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function sendRefusal(
  response: ServerResponse,
  refusal: Refusal,
  bodyOf: (refusal: Refusal) => unknown,
): void {
  const { status, headers, body } = refusal
  const type = body === undefined ? 'application/json' : 'text/html'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(body ?? JSON.stringify(bodyOf(refusal)))
}

/** Encodes a step in the format of the provider. */
export type StepWriter = (step: ContentStep | { readonly error: object } | 'ping') => string

/** The content of a script, for a response that is not streamed. */
export function contentOf(steps: readonly Step[]): {
  readonly text: string
  readonly thinking: readonly { readonly thinking: string; readonly signature?: string }[]
  readonly toolCalls: readonly ScriptedToolCall[]
} {
  const actions = steps.filter((step) => typeof step === 'object')
  return {
    text: actions.map((step) => ('text' in step ? step.text : '')).join(''),
    thinking: actions.filter((step) => 'thinking' in step),
    toolCalls: actions.flatMap((step) => ('toolCall' in step ? [step.toolCall] : [])),
  }
}

export function argumentPieces({ arguments: pieces }: ScriptedToolCall): readonly string[] {
  return [pieces].flat()
}

/** Sends a response that is not streamed; with the step `cut`, the connection closes in the middle of it. */
export function sendWhole(response: ServerResponse, steps: readonly Step[], body: unknown): void {
  if (!steps.includes('cut')) {
    sendJson(response, 200, body)
    return
  }
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
}

/** Sends the script. Returns whether the response must be finished normally. */
export async function playSteps(
  response: ServerResponse,
  steps: readonly Step[],
  write: StepWriter,
): Promise<boolean> {
  for (const step of steps) {
    if (response.destroyed) return false
    if (step === 'hang') return false
    if (step === 'end') {
      response.end()
      return false
    }
    if (step === 'cut') {
      response.write(': ', () => response.socket?.destroy())
      return false
    }
    if (step === 'ping') response.write(write(step))
    else if ('raw' in step) response.write(step.raw)
    else if ('delayMs' in step) await sleep(step.delayMs)
    else if ('until' in step) await step.until
    else response.write(write(step))
  }
  return !response.destroyed
}
