import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { createPlayer, endPart, failingAfter, type Player, someUsage } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let node: Player
let cloud: Player
let server: GatewayServer

beforeAll(async () => {
  node = createPlayer({ name: 'ollama', models: ['viola'] })
  cloud = createPlayer({ models: ['violin'] })
  server = await startGatewayServer({ providers: [node, cloud] })
})
afterAll(() => server[Symbol.asyncDispose]())

const generate = (body: object, headers: Record<string, string> = {}) =>
  server.post('/api/v1/generate', { model: 'viola', prompt: 'Why?', ...body }, { headers })
const chat = (body: object) =>
  server.post('/api/v1/chat', { model: 'viola', messages: [{ role: 'user', content: 'Why?' }], ...body })

async function readLines(answer: Response): Promise<Record<string, unknown>[]> {
  const text = await answer.text()
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const pieces = ['The', ' sky', ' is', ' blue', '.']
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe('a stream, the default,', () => {
  test('has a line for each piece of a completion, and the stats on the last', async () => {
    const answer = await generate({})
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-model-provider': 'ollama',
      'x-model-used': 'viola',
      'x-model-attempts': '1',
      'x-cache': 'off',
      'x-call-id': expect.any(String),
    })
    const lines = await readLines(answer)
    expect(lines.slice(0, -1)).toEqual(
      pieces.map((response) => ({ model: 'viola', created_at: at, response, done: false })),
    )
    expect(lines.at(-1)).toEqual({
      model: 'viola',
      created_at: at,
      response: '',
      done: true,
      done_reason: 'stop',
      total_duration: expect.any(Number),
      prompt_eval_count: 11,
      prompt_eval_duration: expect.any(Number),
      eval_count: 5,
      eval_duration: expect.any(Number),
    })
  })

  test('of a chat has messages', async () => {
    node.script(async function* () {
      yield { type: 'thinking', text: 'Hm.' }
      yield { type: 'text', text: 'Blue.' }
      yield { ...endPart, finish: 'length' }
    })
    const lines = await readLines(await chat({}))
    expect(lines).toMatchObject([
      { message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false },
      { message: { role: 'assistant', content: 'Blue.' }, done: false },
      { message: { role: 'assistant', content: '' }, done: true, done_reason: 'length' },
    ])
  })

  test('ends with the stats of the node, which are more exact', async () => {
    const runtime = {
      total_duration: 174_560_334,
      load_duration: 101_397_084,
      prompt_eval_count: 11,
      prompt_eval_duration: 13_074_791,
      eval_count: 5,
      eval_duration: 52_479_709,
      context: [1, 2, 3],
      done_reason: 'load',
    }
    node.script(async function* () {
      yield { ...endPart, runtime: { ...runtime, model: 'cuckoo', done: false, response: 'egg' } }
    })
    expect(await readLines(await generate({}))).toEqual([
      { model: 'viola', created_at: at, response: '', done: true, ...runtime },
    ])
  })

  test('that breaks ends with an error line', async () => {
    node.script(
      failingAfter(new ProviderFailure({ kind: 'unavailable', message: 'The string broke.' }), 'The'),
    )
    const lines = await readLines(await generate({}))
    expect(lines).toMatchObject([
      { response: 'The' },
      { error: { code: 'answer_broke_off', message: 'The string broke.' } },
    ])
  })
})

describe('a non-streamed response', () => {
  test('of a completion', async () => {
    const answer = await generate({ stream: false })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-model-used')).toBe('viola')
    expect(await answer.json()).toMatchObject({
      model: 'viola',
      created_at: at,
      response: 'The sky is blue.',
      done: true,
      done_reason: 'stop',
      eval_count: 5,
    })
  })

  test('of a chat, with the reasoning and all stats of the node', async () => {
    node.script(async function* () {
      yield { type: 'thinking', text: 'Hm' }
      yield { type: 'thinking', text: '.' }
      yield { type: 'text', text: 'Blue.' }
      yield {
        ...endPart,
        usage: { ...someUsage, inputTokens: null },
        runtime: { load_duration: 7, novelty: [1] },
      }
    })
    const body = (await (await chat({ stream: false })).json()) as object
    expect(body).toMatchObject({
      message: { role: 'assistant', content: 'Blue.', thinking: 'Hm.' },
      load_duration: 7,
      novelty: [1],
      done: true,
    })
    expect(body).not.toHaveProperty('prompt_eval_count')
  })

  test('from the cache has its current duration', async () => {
    const runtime = { total_duration: 9e15, eval_duration: 9e15, eval_count: 5 }
    node.script(async function* () {
      yield { ...endPart, runtime }
    })
    const once = { prompt: `Once, ${randomUUID()}`, stream: false, options: { seed: 1 } }
    const first = await generate(once)
    expect(first.headers.get('x-cache')).toBe('miss')
    expect(await first.json()).toMatchObject(runtime)
    const second = await generate(once)
    expect(second.headers.get('x-cache')).toBe('hit')
    const body = (await second.json()) as { total_duration: number }
    expect(body).toMatchObject({ eval_count: 5 })
    expect(body).not.toHaveProperty('eval_duration')
    expect(body.total_duration).toBeLessThan(9e15)
  })

  test.each([
    ['no-cache', 'miss'],
    ['no-store', 'off'],
  ])('bypasses the cache with Cache-Control: %s', async (cacheControl, told) => {
    const ask = (headers?: Record<string, string>) =>
      generate({ prompt: `Again, ${cacheControl}`, stream: false, options: { temperature: 0 } }, headers)
    await (await ask()).text()
    const before = node.calls.length
    const answer = await ask({ 'cache-control': cacheControl })
    expect(answer.headers.get('x-cache')).toBe(told)
    expect(node.calls.length).toBe(before + 1)
    await answer.text()
  })
})

describe('embeddings', () => {
  test('are vectors, with their duration', async () => {
    const answer = await server.post('/api/v1/embed', { model: 'viola', input: ['a', 'bcd'], truncate: true })
    expect(await answer.json()).toEqual({
      model: 'viola',
      embeddings: [
        [1, 0.5, -0.25],
        [3, 0.5, -0.25],
      ],
      total_duration: expect.any(Number),
      prompt_eval_count: 8,
    })
    expect(answer.headers.get('x-model-provider')).toBe('ollama')
    expect(answer.headers.get('x-call-id')).toBeTruthy()
  })
})

describe('another gateway as caller', () => {
  test('is served, and no further gateway is called', async () => {
    const answer = await generate({ stream: false }, { 'x-tutti-gateway': 'another' })
    expect(answer.status).toBe(200)
    expect(node.calls.at(-1)?.askedByGateway).toBe(true)
    await generate({ stream: false })
    expect(node.calls.at(-1)?.askedByGateway).toBeUndefined()
  })

  test('that is this gateway itself gets an error', async () => {
    const answer = await generate({ stream: false }, { 'x-tutti-gateway': server.gatewayId })
    expect(answer.status).toBe(508)
    expect(await answer.json()).toMatchObject({ error: { code: 'loop_detected' } })
  })
})
