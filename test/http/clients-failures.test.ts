import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '../support/scripted-server.ts'
import {
  type ClientsPlatform,
  failureOf,
  models,
  openClientsPlatform,
  type ProviderKind,
  question,
} from './clients-platform.ts'

let platform: ClientsPlatform
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  platform = await openClientsPlatform()
  const { url, apiKey } = platform
  openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
})
afterAll(() => platform[Symbol.asyncDispose]())

interface Heard {
  readonly text: string
  readonly error: unknown
  readonly callId: string | null
}

/** How each client streams and asks, with the text that it got before its error. */
const clients = {
  openai: {
    stream: async (model: string): Promise<Heard> => {
      const { data, response } = await openai.chat.completions
        .create({ model, messages: question, stream: true })
        .withResponse()
      let text = ''
      const error = await failureOf(async () => {
        for await (const { choices } of data) text += choices[0]?.delta.content ?? ''
      })
      return { text, error, callId: response.headers.get('x-call-id') }
    },
    whole: (model: string) => openai.chat.completions.create({ model, messages: question }),
    broken: { error: { code: 'answer_broke_off', type: 'server_error' } },
    limited: { status: 429, type: 'rate_limit_error' },
  },
  anthropic: {
    stream: async (model: string): Promise<Heard> => {
      const { data, response } = await anthropic.messages
        .create({ model, max_tokens: 100, messages: question, stream: true })
        .withResponse()
      let text = ''
      const error = await failureOf(async () => {
        for await (const event of data) {
          if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
            text += event.delta.text
        }
      })
      return { text, error, callId: response.headers.get('x-call-id') }
    },
    whole: (model: string) => anthropic.messages.create({ model, max_tokens: 100, messages: question }),
    broken: { error: { type: 'error', error: { type: 'api_error' } } },
    limited: { status: 429, error: { error: { type: 'rate_limit_error' } } },
  },
} as const

/** Every pair of a protocol of callers and a provider: passed on where both are the same, else translated. */
const pairs = (['openai', 'anthropic'] as const).flatMap((client) =>
  (['openai', 'anthropic', 'ollama'] as const).map((kind) => ({ client, kind })),
)

const malformed: Readonly<Record<ProviderKind, string>> = {
  openai: 'data: {"choices": oops\n\n',
  anthropic: 'event: content_block_delta\ndata: {"type": oops\n\n',
  ollama: '{"message": oops\n',
}

describe.each(pairs)('the $client client with a model of $kind', ({ client, kind }) => {
  const { stream, whole, broken, limited } = clients[client]
  const model = models[kind]
  const callSince = (sinceMs: number) =>
    platform.findCall(({ provider, started_at: at }) => provider === kind && Date.parse(at) >= sinceMs)
  const server = () => ({ ...platform, ollama: platform.node })[kind]

  // Five failures in a row would eject the node of the cluster.
  beforeAll(() => whole(model))

  test.each<[string, readonly Step[]]>([
    ['the provider dies in the middle', [{ text: 'The' }, 'cut']],
    ['the provider ends before the end', [{ text: 'The' }, 'end']],
    ['the provider sends an invalid event', [{ text: 'The' }, { raw: malformed[kind] }, 'hang']],
    [
      'the provider sends an error',
      [{ text: 'The' }, { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'hang'],
    ],
  ])('gets an error in its stream when %s', async (_when, steps) => {
    platform.script(kind, { steps })
    const { text, error, callId } = await stream(model)
    expect(error).toMatchObject(broken)
    expect(text).toBe('The')
    const call = await platform.findCall(({ id }) => id === callId)
    expect(call).toMatchObject({ provider: kind, outcome: 'failed', failure_code: 'answer_broke_off' })
  })

  test('gets a rate limit with its Retry-After', async () => {
    const since = Date.now()
    server().script(
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 429, headers: { 'retry-after': '9' } },
    )
    for (const [ask, seconds] of [
      [whole, '7'],
      [stream, '9'],
    ] as const) {
      const error = await failureOf(() => ask(model))
      expect(error).toMatchObject(limited)
      expect((error as { readonly headers: Headers }).headers.get('retry-after')).toBe(seconds)
    }
    const call = await callSince(since)
    expect(call).toMatchObject({ outcome: 'failed', failure_code: 'provider_rate_limited' })
  })

  test('gets a server error when the provider fails before it responds', async () => {
    const since = Date.now()
    // The cluster repeats a request whose connection was closed before a response.
    server().script({ status: 500 }, kind === 'ollama' ? { status: 500 } : 'cut')
    for (const ask of [whole, stream]) {
      expect(await failureOf(() => ask(model))).toMatchObject({ status: 502 })
    }
    const call = await callSince(since)
    expect(call).toMatchObject({ outcome: 'failed', failure_code: 'provider_unavailable' })
  })

  test('gets a server error when a response without streaming is cut off', async () => {
    const since = Date.now()
    platform.script(kind, { steps: [{ text: 'The' }, 'cut'] })
    const error = await failureOf(() => whole(model))
    expect(error).toMatchObject({ status: 502 })
    const call = await callSince(since)
    expect(call.outcome).toBe('failed')
  })
})

describe('a client that does not read the protocol', () => {
  test('sees the error as the last event, not a regular end', async () => {
    for (const kind of ['openai', 'anthropic'] as const) {
      platform.script(kind, { steps: [{ text: 'The' }, 'cut'] })
      const path = kind === 'openai' ? '/v1/chat/completions' : '/v1/messages'
      const response = await fetch(`${platform.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${platform.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: models[kind], max_tokens: 100, messages: question, stream: true }),
      })
      const text = await response.text()
      expect(text).not.toContain('[DONE]')
      expect(text).not.toContain('message_stop')
      expect(text.trimEnd().split('\n\n').at(-1)).toContain('"error"')
    }
  })
})
