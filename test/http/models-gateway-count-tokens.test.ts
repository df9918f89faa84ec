import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayScene, messages, model, startGatewayScene } from './models-gateway-scene.ts'

const claude = 'claude-sonnet-4-5'

let scene: GatewayScene
let anthropic: Anthropic

beforeAll(async () => {
  scene = await startGatewayScene()
  anthropic = clientWith(scene.server.key)
})
afterAll(() => scene[Symbol.asyncDispose]())

function clientWith(authToken: string): Anthropic {
  return new Anthropic({ baseURL: scene.server.url, authToken, apiKey: null, maxRetries: 0 })
}

const tools = [
  { name: 'weather', description: 'Now.', input_schema: { type: 'object' as const, properties: {} } },
]

describe('the tokens of a message', () => {
  test('for Anthropic are counted by Anthropic', async () => {
    const counted = await anthropic.messages.countTokens({ model: claude, messages, tools })
    expect(counted.input_tokens).toBe(2095)
    const request = await scene.anthropic.nextRequest('/messages/count_tokens')
    expect(request.body).toEqual({ model: claude, messages, tools })
    expect(request.headers).toMatchObject({
      'anthropic-version': expect.any(String),
      'x-api-key': 'sk-ant-right',
    })
  })

  test('for other models are an estimate', async () => {
    const { input_tokens: plain } = await anthropic.messages.countTokens({ model, messages })
    expect(plain).toBe(10)
    const more = await anthropic.messages.countTokens({
      model: 'gpt-4o-mini',
      system: 'Be brief. '.repeat(10),
      tools,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          ],
        },
      ],
    })
    expect(more.input_tokens).toBeGreaterThan(1600)
    expect(more.input_tokens).toBeLessThan(1700)
  })

  test('are free and not recorded', async () => {
    await anthropic.messages.countTokens({ model: claude, messages })
    const rows = await scene.server.database.query('select count(*)::int as calls from model_calls')
    expect(rows).toEqual([{ calls: 0 }])
  })

  test('are refused with a reason', async () => {
    await expect(anthropic.messages.countTokens({ model: 'absent', messages })).rejects.toMatchObject({
      status: 404,
      error: { error: { type: 'not_found_error', message: 'The model "absent" was not found.' } },
    })
    await expect(clientWith('tk_nobody').messages.countTokens({ model, messages })).rejects.toMatchObject({
      status: 401,
    })
    await expect(
      anthropic.messages.countTokens({
        model,
        messages,
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      }),
    ).rejects.toMatchObject({
      status: 400,
      error: {
        error: { message: expect.stringContaining('tools[0].type "web_search_20250305" is not supported') },
      },
    })
    scene.anthropic.script({ status: 529 })
    await expect(anthropic.messages.countTokens({ model: claude, messages })).rejects.toMatchObject({
      status: 502,
    })
    scene.anthropic.script({ status: 200, body: '{"input_tokens":"many"}' })
    await expect(anthropic.messages.countTokens({ model: claude, messages })).rejects.toMatchObject({
      status: 502,
    })
  })
})
