import { describe, expect, test } from 'vitest'
import { startAnthropicServer } from '../support/anthropic-server.ts'
import { apiKey, model, providerFor } from './models-provider-anthropic-support.ts'
import { asks, failing } from './models-provider-support.ts'

interface Expected {
  readonly kind: string
  readonly message?: RegExp
  readonly retryAfterSeconds?: number | undefined
}

describe('Anthropic fails', () => {
  test.each<
    [string, { status: number; message?: string; body?: string; headers?: Record<string, string> }, Expected]
  >([
    [
      'with 400',
      { status: 400, message: 'messages: too long' },
      { kind: 'refused', message: /messages: too long/ },
    ],
    [
      'with 400 for want of credit',
      { status: 400, message: 'Your credit balance is too low to access the Anthropic API.' },
      { kind: 'unauthorized' },
    ],
    ['with 401', { status: 401, message: `invalid x-api-key ${apiKey}` }, { kind: 'unauthorized' }],
    ['with 402', { status: 402 }, { kind: 'unauthorized' }],
    ['with 403', { status: 403 }, { kind: 'unauthorized' }],
    ['with 404', { status: 404, message: 'model: claude-9' }, { kind: 'model_not_found' }],
    ['with 404 of another kind', { status: 404, body: '<h1>Not here</h1>' }, { kind: 'unavailable' }],
    ['with 413', { status: 413 }, { kind: 'refused' }],
    [
      'with 429',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rate_limited', retryAfterSeconds: 7 },
    ],
    ['with 500', { status: 500 }, { kind: 'unavailable' }],
    ['with 504', { status: 504 }, { kind: 'timeout' }],
    ['with 529', { status: 529, message: 'Overloaded' }, { kind: 'unavailable', message: /Overloaded/ }],
    [
      'with a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'unavailable' },
    ],
    ['with a page that is no stream', { status: 200, body: '<h1>Hello</h1>' }, { kind: 'malformed' }],
  ])('%s', async (_how, reply, expected) => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script(reply)
    const { text, failure } = await failing(provider, asks(model))
    expect([text, failure.kind]).toEqual(['', expected.kind])
    expect(failure.message).toMatch(expected.message ?? /^Anthropic /)
    expect(failure.retryAfterSeconds).toBe(expected.retryAfterSeconds)
    expect(failure.message).not.toContain(apiKey)
    expect(server.requests).toHaveLength(1)
  })

  test('with 429 until a date', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script({ status: 429, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } })
    const { failure } = await failing(provider, asks(model))
    expect(failure.retryAfterSeconds).toBeGreaterThan(20)
    expect(failure.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  test.each([
    ['sends what is no event', { raw: 'event: content_block_delta\ndata: {"type":\n\n' }, 'malformed'],
    [
      'sends an event of another shape',
      { raw: 'event: message_delta\ndata: {"type":"message_delta"}\n\n' },
      'malformed',
    ],
    ['sends a line without end', { raw: `data: ${'x'.repeat(1_200_000)}` }, 'malformed'],
    ['ends before its end', 'end', 'malformed'],
    ['closes the connection', 'cut', 'unavailable'],
    ['is overloaded', { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'unavailable'],
    ['reports an error', { error: { type: 'api_error', message: 'Internal server error' } }, 'unavailable'],
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
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script({ steps: [step, 'hang'] }, { steps: [{ text: 'The' }, step, 'hang'] })
    const before = await failing(provider, asks(model))
    expect([before.text, before.failure.kind]).toEqual(['', kind])
    const after = await failing(provider, asks(model))
    expect([after.text, after.failure.kind]).toEqual(['The', kind])
  })

  test('when its first event is already an error, or garbage', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    const headers = { 'content-type': 'text/event-stream' }
    const overloaded = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    server.script(
      { status: 200, headers, body: `event: error\ndata: ${overloaded}\n\n` },
      { status: 200, headers, body: 'event: message_start\ndata: {"type"\n\n' },
    )
    expect((await failing(provider, asks(model))).failure.kind).toBe('unavailable')
    expect((await failing(provider, asks(model))).failure.kind).toBe('malformed')
  })

  test('when it is unreachable, or closes the connection at once', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script('cut')
    expect((await failing(provider, asks(model))).failure.kind).toBe('unavailable')
    await server.close()
    const { failure } = await failing(provider, asks(model))
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: 'Anthropic cannot be reached (ECONNREFUSED).',
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
    await using server = await startAnthropicServer()
    await using provider = providerFor(server, { limits })
    server.script(reply)
    const { text, failure } = await failing(provider, asks(model))
    expect([text, failure.kind]).toEqual([seen, 'timeout'])
    expect(await (await server.nextRequest('/messages')).closed).toBe(true)
  })
})
