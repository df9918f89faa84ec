import { describe, expect, test } from 'vitest'
import { startOpenAiServer } from '../support/openai-server.ts'
import { apiKey, model, providerFor } from './models-provider-openai-support.ts'
import { asks, failing, failingToEmbed } from './models-provider-support.ts'

describe('OpenAI fails', () => {
  test.each([
    [
      'with 400',
      { status: 400, message: 'This model has no such context.' },
      { kind: 'refused', message: /no such context/ },
    ],
    ['with 401', { status: 401, message: `Incorrect API key provided: ${apiKey}` }, { kind: 'unauthorized' }],
    ['with 402', { status: 402 }, { kind: 'unauthorized' }],
    ['with 403', { status: 403 }, { kind: 'unauthorized' }],
    ['with 404', { status: 404, code: 'model_not_found' }, { kind: 'model_not_found' }],
    ['with 404 of another kind', { status: 404, body: '<h1>Not here</h1>' }, { kind: 'unavailable' }],
    ['with 408', { status: 408 }, { kind: 'timeout' }],
    ['with 413', { status: 413 }, { kind: 'refused' }],
    [
      'with 429 and seconds',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rate_limited', retryAfterSeconds: 7 },
    ],
    ['with 429 and nothing', { status: 429 }, { kind: 'rate_limited', retryAfterSeconds: undefined }],
    ['with a quota that is used up', { status: 429, code: 'insufficient_quota' }, { kind: 'unauthorized' }],
    ['with 500', { status: 500, message: 'The server had an error.' }, { kind: 'unavailable' }],
    [
      'with 503 and a page',
      { status: 503, body: '<h1>Down</h1>', headers: { 'retry-after': '3' } },
      { kind: 'unavailable', retryAfterSeconds: 3 },
    ],
    ['with 504', { status: 504 }, { kind: 'timeout' }],
    [
      'with a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'unavailable' },
    ],
    ['with a page that is no stream', { status: 200, body: '<h1>Hello</h1>' }, { kind: 'malformed' }],
  ])(
    '%s',
    async (_how, reply, {
      kind,
      ...expected
    }: { kind: string; message?: RegExp; retryAfterSeconds?: number | undefined }) => {
      await using server = await startOpenAiServer()
      await using provider = providerFor(server)
      server.script(reply)
      const { text, failure } = await failing(provider, asks(model))
      expect(text).toBe('')
      expect(failure.kind).toBe(kind)
      if (expected.message !== undefined) expect(failure.message).toMatch(expected.message)
      if ('retryAfterSeconds' in expected) expect(failure.retryAfterSeconds).toBe(expected.retryAfterSeconds)
      expect(failure.message).not.toContain(apiKey)
      // The SDK's own retries are not used.
      expect(server.requests).toHaveLength(1)
    },
  )

  test('with 429 until a date', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.script({ status: 429, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } })
    const { failure } = await failing(provider, asks(model))
    expect(failure.kind).toBe('rate_limited')
    expect(failure.retryAfterSeconds).toBeGreaterThan(20)
    expect(failure.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  test.each([
    ['sends what is no event', { raw: 'data: {"choices": [\n\n' }, 'malformed'],
    ['sends an event of another shape', { raw: 'data: {"choices": "none"}\n\n' }, 'malformed'],
    ['sends a line without end', { raw: `data: ${'x'.repeat(1_200_000)}` }, 'malformed'],
    ['ends before its end', 'end', 'malformed'],
    ['closes the connection', 'cut', 'unavailable'],
    [
      'reports an error',
      { error: { type: 'server_error', message: 'The server had an error.' } },
      'unavailable',
    ],
    [
      'reports that it is too much',
      { error: { type: 'rate_limit_error', message: 'Slow down.' } },
      'rate_limited',
    ],
    [
      'reports what it does not take',
      { error: { type: 'invalid_request_error', message: 'No.' } },
      'refused',
    ],
  ] as const)('when it %s, before and after the first piece', async (_how, step, kind) => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.script({ steps: [step, 'hang'] }, { steps: [{ text: 'The' }, step, 'hang'] })
    const before = await failing(provider, asks(model))
    expect([before.text, before.failure.kind]).toEqual(['', kind])
    const after = await failing(provider, asks(model))
    expect([after.text, after.failure.kind]).toEqual(['The', kind])
  })

  test('when it is unreachable, or closes the connection at once', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.script('cut')
    expect((await failing(provider, asks(model))).failure.kind).toBe('unavailable')
    await server.close()
    const { failure } = await failing(provider, asks(model))
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: 'OpenAI cannot be reached (ECONNREFUSED).',
    })
  })

  test.each([
    ['does not begin', 'hang', { firstPartMs: 1500, stallMs: 20_000 }, ''],
    [
      'begins with nothing but signs of life',
      { steps: ['ping', 'hang'] },
      { firstPartMs: 1500, stallMs: 20_000 },
      '',
    ],
    [
      'stops in the middle',
      { steps: [{ text: 'The' }, 'hang'] },
      { firstPartMs: 20_000, stallMs: 50 },
      'The',
    ],
  ] as const)('when it %s in time, and its connection is closed', async (_how, reply, limits, seen) => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server, { limits })
    server.script(reply)
    const { text, failure } = await failing(provider, asks(model))
    expect([text, failure.kind]).toEqual([seen, 'timeout'])
    expect(await (await server.nextRequest('/chat/completions')).closed).toBe(true)
  })

  test('without a key', async () => {
    await using provider = providerFor({ baseUrl: 'https://api.openai.com/v1' }, { key: undefined })
    expect((await failing(provider, asks(model))).failure).toMatchObject({
      kind: 'unauthorized',
      message: 'OpenAI has no key: set OPENAI_API_KEY, or store one.',
    })
    expect(await failingToEmbed(provider, { model, inputs: ['a'] })).toMatchObject({ kind: 'unauthorized' })
  })
})
