import type { ServerResponse } from 'node:http'
import {
  type ReceivedRequest,
  type Refusal,
  type ScriptedServer,
  sendJson,
  sendRefusal,
  startScriptedServer,
} from './scripted-server.ts'

/*
 * A server with OpenAI's wire format for the turns of agents: chat completions with tool calls and reasoning, and the Responses
 * API itself. It has no model; the test writes its responses as output items, and both paths send them in their own format.
 *
 *   await using openai = await startOpenAiResponsesServer()
 *   openai.script({ calls: [{ id: 'call_1', name: 'add', arguments: '{"a":1}' }] }, { text: 'Three.' })
 *
 * Without a script it responds `The sky is blue.`.
 */

interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

interface Turn {
  readonly thinking?: string
  readonly text?: string
  readonly calls?: readonly Call[]
  readonly isCutShort?: boolean
  /** Ends in the middle: after the first piece of text, with an error or by closing the connection. */
  readonly breaks?: 'error' | 'cut' | 'hang' | 'rubbish'
  /** Further output items of the Responses API, sent first and as they are. */
  readonly items?: readonly object[]
}

type Reply = Turn | Refusal

export interface OpenAiResponsesServer extends ScriptedServer<Reply> {
  /** The value of OPENAI_BASE_URL. */
  readonly baseUrl: string
}

const created = 1_777_916_264

export async function startOpenAiResponsesServer(
  models: readonly string[] = ['gpt-4o-mini', 'gpt-5-nano'],
): Promise<OpenAiResponsesServer> {
  const server = await startScriptedServer<Reply>({
    modelsPath: '/v1/models',
    listModels: () => ({
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created, owned_by: 'system' })),
    }),
    checkKey: () => undefined,
    refusalBody,
    async answer(request, takeReply, response) {
      const reply = takeReply() ?? { text: 'The sky is blue.' }
      if ('status' in reply) sendRefusal(response, reply, refusalBody)
      else if (request.path === '/v1/chat/completions') sendChunks(request, reply, response)
      else if (request.path === '/v1/responses') sendResponse(request, reply, response)
      else sendRefusal(response, { status: 404, message: `Invalid URL (${request.path})` }, refusalBody)
    },
  })
  return { ...server, baseUrl: `${server.url}/v1` }
}

function refusalBody({ status, message, type, code }: Refusal): unknown {
  return {
    error: {
      message: message ?? `The server answered with ${status}.`,
      type: type ?? 'invalid_request_error',
      param: null,
      code: code ?? null,
    },
  }
}

/** Two pieces, as models stream them. */
const piecesOf = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]

function breakOff(how: Turn['breaks'], response: ServerResponse, errorEvent: string): boolean {
  if (how === undefined) return false
  if (how === 'error') response.end(errorEvent)
  if (how === 'rubbish') response.end(data({ type: 'response.in_progress', response: null }))
  if (how === 'cut') response.write(': ', () => response.socket?.destroy())
  return true
}

function sendChunks({ body }: ReceivedRequest, turn: Turn, response: ServerResponse): void {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created, model: body['model'] }
  const chunk = (delta: object, reason: string | null = null) =>
    response.write(data({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] }))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ role: 'assistant', content: '' })
  if (turn.thinking !== undefined)
    for (const piece of piecesOf(turn.thinking)) chunk({ reasoning_content: piece })
  for (const piece of turn.text === undefined ? [] : piecesOf(turn.text)) {
    chunk({ content: piece })
    const error = { message: 'The server had an error.', type: 'server_error', param: null, code: null }
    if (breakOff(turn.breaks, response, data({ error }))) return
  }
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const { id, name } = call
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of piecesOf(call.arguments))
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  chunk({}, turn.calls === undefined ? (turn.isCutShort === true ? 'length' : 'stop') : 'tool_calls')
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
  response.write(data({ ...head, choices: [], usage }))
  response.end('data: [DONE]\n\n')
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

let responses = 0

function sendResponse({ body }: ReceivedRequest, turn: Turn, response: ServerResponse): void {
  responses += 1
  const id = `resp_upstream${responses}`
  const { input: _input, ...echoed } = body
  const head = {
    id,
    object: 'response',
    created_at: created,
    error: null,
    incomplete_details: null,
    previous_response_id: null,
    metadata: {},
    ...echoed,
    model: `${String(body['model'])}-2026-01-01`,
  }
  const output = outputOf(turn, responses)
  const usage = {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 26,
  }
  const isCutShort = turn.isCutShort === true
  const whole = {
    ...head,
    status: isCutShort ? 'incomplete' : 'completed',
    incomplete_details: isCutShort ? { reason: 'max_output_tokens' } : null,
    output,
    usage,
  }
  if (body['stream'] !== true) {
    sendJson(response, 200, whole)
    return
  }
  let sequence = 0
  const send = (type: string, fields: object) => {
    response.write(`event: ${type}\n${data({ type, sequence_number: sequence, ...fields })}`)
    sequence += 1
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const started = { ...head, status: 'in_progress', output: [], usage: null }
  send('response.created', { response: started })
  send('response.in_progress', { response: started })
  for (const [index, item] of output.entries()) {
    const where = { item_id: item['id'], output_index: index }
    if (item['type'] !== 'message') {
      const empty = item['type'] === 'function_call' ? { ...item, arguments: '' } : item
      send('response.output_item.added', { output_index: index, item: empty })
      if (item['type'] === 'function_call')
        send('response.function_call_arguments.delta', { ...where, delta: item['arguments'] })
      send('response.output_item.done', { output_index: index, item })
      continue
    }
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    send('response.output_item.added', {
      output_index: index,
      item: { ...item, status: 'in_progress', content: [] },
    })
    send('response.content_part.added', { ...where, content_index: 0, part })
    for (const delta of piecesOf(turn.text ?? '')) {
      send('response.output_text.delta', { ...where, content_index: 0, delta, logprobs: [] })
      const error = { type: 'server_error', code: 'server_error', message: 'It broke.', param: null }
      if (breakOff(turn.breaks, response, `event: error\n${data({ type: 'error', error })}`)) return
    }
    const text = turn.text ?? ''
    send('response.output_text.done', { ...where, content_index: 0, text, logprobs: [] })
    send('response.content_part.done', { ...where, content_index: 0, part: { ...part, text } })
    send('response.output_item.done', { output_index: index, item })
  }
  send(`response.${whole.status}`, { response: whole })
  response.end()
}

function outputOf(
  { thinking, text, calls = [], items = [] }: Turn,
  number: number,
): readonly Readonly<Record<string, unknown>>[] {
  const reasoning = {
    id: `rs_up${number}`,
    type: 'reasoning',
    summary: [],
    encrypted_content: `enc-${thinking}`,
  }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const message = {
    id: `msg_up${number}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [part],
  }
  return [
    ...(items as readonly Readonly<Record<string, unknown>>[]),
    ...(thinking === undefined ? [] : [reasoning]),
    ...(text === undefined ? [] : [message]),
    ...calls.map(({ id, name, arguments: given }) => ({
      id: `fc_${id}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: given,
    })),
  ]
}
