import { Validator } from '@seriousme/openapi-schema-validator'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'
import { collect, messages, model, text } from './models-gateway-scene.ts'

const apiKey = 'a-key-of-at-least-twenty-characters'

let node: ModelNode
let cloud: OpenAiServer
let platform: OpenPlatform
let openai: OpenAI
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  node = stack.use(await startModelNode({ models: [model] }))
  cloud = stack.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  platform = stack.use(
    await openPlatform({
      CLUSTER_NODES: node.url,
      OPENAI_BASE_URL: cloud.baseUrl,
      OPENAI_API_KEY: 'sk-right',
      OPENAI_PRICE_LIST: 'openai',
      TUTTI_API_KEY: apiKey,
    }),
  )
  openai = new OpenAI({ baseURL: `${platform.url}/v1`, apiKey, maxRetries: 0 })
  await eventually(async () => (await openai.models.list()).data.some(({ id }) => id === model))
})
afterAll(() => stack.disposeAsync())

const get = (path: string) => fetch(`${platform.url}${path}`, { headers: basicAuth(platform) })

describe('a whole platform', () => {
  test('streams from a node of its cluster to the openai client', async () => {
    const { data: stream, response } = await openai.chat.completions
      .create({ model, messages, stream: true, stream_options: { include_usage: true } })
      .withResponse()
    const parts = await collect(stream)
    expect(parts.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(parts.at(-1)?.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 10 })
    expect(response.headers.get('x-model-provider')).toBe('ollama')
  })

  test('sends a conversation of several megabytes to a node of its cluster', async () => {
    const content = 'The sky is blue. '.repeat(400_000)
    const { choices } = await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] })
    expect(choices[0]?.message.content).toBe(text)
    const { lastWork } = await node.stats()
    expect(lastWork?.body.length).toBeGreaterThan(content.length)
  })

  test('falls back from one provider to another', async () => {
    cloud.script({ status: 503 })
    const { data, response } = await openai.chat.completions
      .create({ model: 'gpt-4o-mini', messages }, { headers: { 'X-Model-Fallback': 'any' } })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe(text)
    expect(response.headers.get('x-model-used')).toBe(model)
    expect(response.headers.get('x-model-attempts')).toBe('2')
  })

  test('uses the built-in model on request', async () => {
    const { choices } = await openai.chat.completions.create({
      model: 'builtin:text',
      messages: [{ role: 'user', content: 'The orchestra plays. The orchestra plays very well indeed.' }],
    })
    expect(choices[0]?.message.content).toMatch(/\w/)
  })

  test('counts its cost, to the micro-dollar', async () => {
    cloud.script({ steps: [{ text: 'Blue.' }], usage: { input: 1000, cached: 400, output: 20 } })
    const { response } = await openai.chat.completions
      .create({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'Why? '.repeat(400) }],
        max_tokens: 50,
      })
      .withResponse()
    const id = response.headers.get('x-call-id')
    const find = async () => {
      const { data } = (await (await get('/api/v1/usage/calls?account=all')).json()) as {
        data: readonly { id: string; micro_dollars: number | null }[]
      }
      return data.find((call) => call.id === id)
    }
    await eventually(async () => (await find()) !== undefined)
    expect(await find()).toMatchObject({
      provider: 'openai',
      input_tokens: 1000,
      cached_input_tokens: 400,
      output_tokens: 20,
      // 600 at 15 cents, 400 at 7.5 cents, 20 at 60 cents the million.
      micro_dollars: 132,
      price_source: 'table',
    })
  })

  test('counts requests and tokens of the cluster port in its live metrics, and a gateway call once', async () => {
    interface Live {
      readonly totalRequests: number
      readonly totalTokens: number
    }
    const live = async () => (await (await get('/admin/llm/metrics/live')).json()) as Live
    // Waits until only metrics reads are counted: calls of earlier tests are recorded with a delay.
    let start = await live()
    await eventually(async () => {
      const before = start
      start = await live()
      return start.totalRequests === before.totalRequests + 1 && start.totalTokens === before.totalTokens
    })
    for (const [path, body] of [
      ['/api/generate', { model, prompt: 'Why?' }],
      ['/v1/chat/completions', { model, messages }],
    ] as const) {
      const answer = await fetch(`${platform.clusterUrl}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(200)
      await answer.text()
    }
    const direct = await live()
    expect(direct.totalTokens - start.totalTokens).toBe(2 * 21)
    expect(direct.totalRequests - start.totalRequests).toBe(2 + 1)
    const traffic = await (await fetch(`${platform.clusterUrl}/api/cluster/traffic`)).json()
    expect(traffic).toMatchObject({ recorded: true, requests: 2, prompt_tokens: 22, completion_tokens: 20 })
    await openai.chat.completions.create({ model, messages })
    await eventually(async () => (await live()).totalTokens === start.totalTokens + 3 * 21)
    expect(await (await fetch(`${platform.clusterUrl}/api/cluster/traffic`)).json()).toEqual(traffic)
  })

  test('describes its APIs', async () => {
    // Fetched first: validating blocks the event loop, and the platform of the same process then sheds load with 503.
    const documents = await Promise.all(
      ['gateway', 'openai', 'models'].map(async (name) => (await get(`/openapi/${name}.yaml`)).text()),
    )
    for (const document of documents) {
      expect(await new Validator().validate(document)).toMatchObject({ valid: true })
    }
  })

  test.each([
    ['/v1/nowhere', { error: { type: 'invalid_request_error', code: 'unknown_url' } }],
    [
      '/api/v1/generate/nowhere',
      { error: { code: 'not_found', message: 'There is nothing at this address.' } },
    ],
    ['/api/v1/usage/nowhere', { error: { code: 'not_found' } }],
  ])('responds at %s in the right format', async (path, body) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject(body)
  })
})
