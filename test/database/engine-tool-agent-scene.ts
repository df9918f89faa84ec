import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type AiScene, openAiScene } from './engine-ai-scene.ts'
import { type EngineScene, openEngineScene } from './engine-setting.ts'

/** A call of the API, as it arrived. */
interface ApiCall {
  readonly method: string
  readonly url: string
  readonly key: string | undefined
  readonly body: string
}

/** An API that tools call. It answers `/cut` with a long text, `/hang` never, and everything else with JSON. */
interface Api extends AsyncDisposable {
  readonly url: string
  readonly calls: ApiCall[]
}

async function startApi(): Promise<Api> {
  const calls: ApiCall[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    calls.push({
      method,
      url,
      key: headers['idempotency-key'] as string | undefined,
      body: await text(request),
    })
    if (url.startsWith('/hang')) return
    response.setHeader('content-type', 'application/json')
    if (url.startsWith('/missing')) response.writeHead(404)
    response.end(
      url.startsWith('/long') ? `"${'x'.repeat(200_000)}"` : JSON.stringify({ url, seen: calls.length }),
    )
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Agents with tools in an engine, with scripted models and an API for their tools. */
export interface ToolAgentScene extends AsyncDisposable {
  readonly ai: AiScene
  readonly engine: EngineScene
  readonly api: Api
  /** An agent with a tool `lookup` of the API and the calculator. */
  readonly agent: (more?: object) => Record<string, unknown>
  /** Runs a flow to its end. */
  readonly run: (
    steps: readonly object[],
    more?: object,
  ) => Promise<{ readonly id: string; readonly end: unknown }>
}

export const lookup = (url: string, more: object = {}) => ({
  type: 'http',
  name: 'lookup',
  description: 'Looks something up.',
  url: `${url}/things/{{arguments.id}}`,
  parameters: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  ...more,
})

/** A response of a model that requests calls. */
export const asks = (...calls: readonly (readonly [name: string, given: object])[]) => ({
  steps: calls.map(([name, given], index) => ({
    toolCall: { id: `call_${index}`, name, arguments: JSON.stringify(given) },
  })),
})

export const says = (answer: string) => ({ steps: [{ text: answer }] })

export async function openToolAgentScene(): Promise<ToolAgentScene> {
  await using opening = new AsyncDisposableStack()
  const ai = opening.use(await openAiScene())
  const engine = opening.use(await openEngineScene())
  const api = opening.use(await startApi())
  const { engine: running, worker } = await engine.startProcess({ runStep: ai.runStep })
  const opened = opening.move()
  return {
    ai,
    engine,
    api,
    agent: (more = {}) => ({
      id: 'helper',
      type: 'tool_agent',
      prompt: 'Help with {{content}}',
      ai_options: { model: 'gpt-4o-mini' },
      tools: [lookup(api.url), { type: 'builtin', name: 'calculator' }],
      ...more,
    }),
    async run(steps, more = {}) {
      const what = await engine.save(steps, more)
      const { id, end } = await running.executions.start(what, worker)
      return { id, end: await end }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
