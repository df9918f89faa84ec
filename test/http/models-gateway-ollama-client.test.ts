import { Ollama } from 'ollama'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  collect,
  embedder,
  type GatewayScene,
  messages,
  model,
  startGatewayScene,
  text,
  withNodeThat,
} from './models-gateway-scene.ts'

let scene: GatewayScene
let ollama: Ollama

beforeAll(async () => {
  scene = await startGatewayScene()
  ollama = ollamaWith(scene.server.key)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** The client uses /api, which is /api/v1 here. */
function ollamaWith(key: string): Ollama {
  return new Ollama({
    host: scene.server.url,
    headers: { authorization: `Bearer ${key}` },
    fetch: (address, init) =>
      fetch(typeof address === 'string' ? address.replace('/api/', '/api/v1/') : address, init),
  })
}

describe('the ollama client', () => {
  test('chats, streamed or not', async () => {
    const whole = await ollama.chat({ model, messages })
    expect(whole).toMatchObject({
      model,
      message: { role: 'assistant', content: text },
      done: true,
      done_reason: 'stop',
      total_duration: 174_560_334,
      load_duration: 101_397_084,
      eval_count: 10,
    })
    const lines = await collect(
      await ollama.chat({ model, messages, stream: true, options: { num_predict: 3 } }),
    )
    expect(lines.map(({ message }) => message.content)).toEqual(['The', ' sky', ' is', ''])
    expect(lines.at(-1)).toMatchObject({ done: true, eval_count: 3 })
  })

  test('generates, with node-only options', async () => {
    const lines = await collect(
      await ollama.generate({
        model,
        prompt: 'Why?',
        system: 'Be brief.',
        stream: true,
        keep_alive: '5m',
        context: [1, 2],
      }),
    )
    expect(lines.map(({ response }) => response).join('')).toBe(text)
    expect(JSON.parse((await scene.node.stats()).lastWork?.body ?? '')).toMatchObject({
      prompt: 'Why?',
      system: 'Be brief.',
      keep_alive: '5m',
      context: [1, 2],
    })
  })

  test('embeds', async () => {
    const { embeddings, prompt_eval_count } = await ollama.embed({ model: embedder, input: ['a', 'bcd'] })
    expect(embeddings).toEqual([
      [1, 0, 0.5],
      [3, 1, 0.5],
    ])
    expect(prompt_eval_count).toBe(8)
  })

  test('calls models of other providers', async () => {
    const whole = await ollama.chat({ model: 'gpt-4o-mini', messages, options: { temperature: 0.5 } })
    expect(whole).toMatchObject({
      model: 'gpt-4o-mini',
      message: { content: 'The sky is blue.' },
      eval_count: 5,
    })
  })

  test('gets errors, before and in the middle of a response', async () => {
    await expect(ollama.chat({ model: 'absent', messages })).rejects.toMatchObject({
      status_code: 404,
      error: { code: 'model_not_found', message: 'The model "absent" was not found.' },
    })
    await expect(ollamaWith('tk_nobody').chat({ model, messages })).rejects.toMatchObject({
      status_code: 401,
    })
    await withNodeThat(scene.node, 'work_dies', async () => {
      const stream = await ollama.chat({ model, messages, stream: true })
      await expect(collect(stream)).rejects.toThrow()
    })
  })
})
