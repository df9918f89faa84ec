import type { ServerResponse } from 'node:http'
import {
  argumentPieces,
  playSteps,
  type ReceivedRequest,
  type Refusal,
  type ScriptedServer,
  type Step,
  type StepWriter,
  sendJson,
  sendRefusal,
  startScriptedServer,
} from '../support/scripted-server.ts'

interface NodeAnswer {
  readonly steps?: readonly Step[]
  /** Additional fields of the last line. */
  readonly last?: object
  /** Instead of a stream. */
  readonly json?: unknown
}

export type NodeReply = NodeAnswer | Refusal | 'hang' | 'cut'

export interface ScriptedNodeOptions {
  /** The response to requests for model details. */
  readonly description?: object
  readonly models?: readonly string[]
  /** `/api/v1` for a gateway, which has the same bodies. */
  readonly prefix?: string
  /** Requests without this key are refused. */
  readonly apiKey?: string
  readonly listPath?: string
  /** The reply when the script has none. Default: a greeting. */
  readonly replyTo?: (request: ReceivedRequest) => NodeReply | Promise<NodeReply>
  readonly list?: unknown
}

const at = '2026-05-04T17:37:44.706015396Z'

/** A node or a gateway with scripted responses. */
export async function startScriptedNode(
  options: ScriptedNodeOptions = {},
): Promise<ScriptedServer<NodeReply>> {
  const { models = ['gemma3:4b'], prefix = '/api', apiKey, listPath = `${prefix}/tags` } = options
  const tags = { models: models.map((name) => ({ name, model: name, modified_at: at, size: 1000 })) }
  return await startScriptedServer<NodeReply>({
    modelsPath: listPath,
    listModels: () => options.list ?? tags,
    checkKey: ({ authorization }) =>
      apiKey === undefined || authorization === `Bearer ${apiKey}` ? undefined : { status: 401 },
    refusalBody,
    async answer(request, takeReply, response) {
      const path = request.path.slice(prefix.length)
      if (path === '/ps') sendJson(response, 200, { models: [] })
      else if (path === '/version') sendJson(response, 200, { version: '0.13.5' })
      else if (path === '/show') sendJson(response, 200, options.description ?? {})
      else if (workPaths.has(path))
        await work(path, request, takeReply() ?? (await options.replyTo?.(request)), response)
      else sendRefusal(response, { status: 404 }, refusalBody)
    },
  })
}

const workPaths = new Set(['/chat', '/generate', '/embed'])

function refusalBody({ status, message, code }: Refusal): unknown {
  return { error: message ?? `status ${status}`, code }
}

async function work(
  path: string,
  { body }: ReceivedRequest,
  reply: NodeReply | undefined,
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
  if (reply?.json !== undefined || path === '/embed') {
    const inputs = [body['input']].flat()
    sendJson(response, 200, reply?.json ?? { embeddings: inputs.map(() => [0.1, 0.2]), prompt_eval_count: 8 })
    return
  }
  const head = { model: body['model'], created_at: at }
  const carry = (text: string, thinking: string | undefined) => {
    const thought = thinking === undefined ? {} : { thinking }
    return path === '/chat'
      ? { message: { role: 'assistant', content: text, ...thought } }
      : { response: text, ...thought }
  }
  let calls = 0
  const write: StepWriter = (step) => {
    if (step === 'ping') return '\n'
    if ('toolCall' in step) {
      const { id, name } = step.toolCall
      const input: unknown = JSON.parse(argumentPieces(step.toolCall).join(''))
      const call = { id, function: { index: calls++, name, arguments: input } }
      return line({ ...head, message: { role: 'assistant', content: '', tool_calls: [call] }, done: false })
    }
    if ('error' in step) return line({ error: (step.error as { readonly message: string }).message })
    const piece = 'text' in step ? carry(step.text, undefined) : carry('', step.thinking)
    return line({ ...head, ...piece, done: false })
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
  if (!(await playSteps(response, reply?.steps ?? [{ text: 'Hello' }], write))) return
  const counts = { prompt_eval_count: 11, eval_count: 3, total_duration: 174_560_334 }
  response.end(
    line({ ...head, ...carry('', undefined), done: true, done_reason: 'stop', ...counts, ...reply?.last }),
  )
}

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`
}
