import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'
import { startOllamaProvider } from './models-provider-ollama-support.ts'
import { type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'
import { type NodeReply, startScriptedNode } from './models-scripted-node.ts'

/* Responses that the gateway passes on in the protocol of the caller: their records have the answer as well. */

interface Content {
  readonly request: unknown
  readonly response: unknown
}

const recording = { MODEL_RECORDING: 'on' }

/** Sends a request, reads its response to the end and returns the recorded content of the call. */
async function contentOf(server: GatewayServer, path: string, body: object): Promise<Content> {
  const sent = await server.post(path, body)
  await sent.text()
  const id = sent.headers.get('x-call-id')
  expect({ status: sent.status, id }).toEqual({ status: 200, id: expect.any(String) })
  let content: Content | null = null
  await eventually(async () => {
    const response = await server.get(`/api/v1/usage/calls/${id}`)
    if (response.status === 200) content = ((await response.json()) as { content: Content | null }).content
    return content !== null
  })
  if (content === null) throw new Error('the call has no content')
  return content
}

describe.each([true, false])('streamed: %s', (stream) => {
  describe('the Responses API, of OpenAI itself', () => {
    let scene: ResponsesScene
    beforeAll(async () => {
      scene = await startResponsesScene({ isOpenAi: true, environment: recording })
    })
    afterAll(() => scene[Symbol.asyncDispose]())

    const model = 'gpt-4o-mini'
    const summary = [{ type: 'summary_text', text: 'Light scatters.' }]

    test('has the text and the reasoning', async () => {
      scene.openai.script({ items: [{ type: 'reasoning', id: 'rs_1', summary }], text: 'It is blue.' })
      const content = await contentOf(scene.server, '/v1/responses', { model, input: 'Why?', stream })
      expect(scene.openai.lastCall()?.path).toBe('/v1/responses')
      expect(content).toMatchObject({
        request: { messages: [{ role: 'user', content: 'Why?' }] },
        response: {
          choices: [{ text: 'It is blue.', thinking: 'Light scatters.', finish_reason: 'completed' }],
        },
      })
    })

    test('has the tool calls', async () => {
      const call = { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }
      scene.openai.script({ calls: [call] })
      const content = await contentOf(scene.server, '/v1/responses', {
        model,
        input: 'Is it warm?',
        stream,
        tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }],
      })
      expect(content.response).toEqual({
        choices: [{ text: '', finish_reason: 'completed', tool_calls: [call] }],
      })
    })
  })

  describe('the Ollama API, of a node', () => {
    const closing = new AsyncDisposableStack()
    let node: ScriptedServer<NodeReply>
    let server: GatewayServer
    beforeAll(async () => {
      node = closing.use(await startScriptedNode())
      const provider = closing.use(await startOllamaProvider({ nodeUrl: node.url }))
      server = closing.use(await startGatewayServer({ providers: [provider], environment: recording }))
    })
    afterAll(() => closing.disposeAsync())

    const model = 'gemma3:4b'
    const messages = [{ role: 'user', content: 'Why?' }]
    const whole = (fields: object): NodeReply => ({
      json: { model, done: true, done_reason: 'stop', ...fields },
    })

    test('chat has the text, the reasoning and the tool calls', async () => {
      const call = { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }
      const steps = [{ thinking: 'Hm.' }, { text: 'It is ' }, { text: 'blue.' }, { toolCall: call }]
      const toolCalls = [{ id: 'call_1', function: { name: 'weather', arguments: { city: 'Oslo' } } }]
      const message = { role: 'assistant', content: 'It is blue.', thinking: 'Hm.', tool_calls: toolCalls }
      node.script(stream ? { steps } : whole({ message }))
      const content = await contentOf(server, '/ollama/api/chat', { model, messages, stream })
      expect(content).toMatchObject({
        request: { messages },
        response: {
          choices: [{ text: 'It is blue.', thinking: 'Hm.', finish_reason: 'stop', tool_calls: [call] }],
        },
      })
    })

    test('generate has the text and the reasoning', async () => {
      node.script(
        stream
          ? { steps: [{ thinking: 'Hm.' }, { text: 'It is blue.' }] }
          : whole({ response: 'It is blue.', thinking: 'Hm.' }),
      )
      const content = await contentOf(server, '/ollama/api/generate', { model, prompt: 'Why?', stream })
      expect(content.response).toEqual({
        choices: [{ text: 'It is blue.', thinking: 'Hm.', finish_reason: 'stop' }],
      })
    })

    test('embed has the number and the size of the vectors', async () => {
      const content = await contentOf(server, '/ollama/api/embed', { model, input: ['one', 'two', 'three'] })
      expect(content.response).toEqual({ embeddings: { count: 3, dimensions: 2 } })
    })
  })
})
