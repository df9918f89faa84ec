import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../../api/api-failure.ts'
import { type AnswerPart, askModel } from './ask-model.ts'
import { plainSettings } from './ask-settings.ts'
import { writeChatRequest } from './chat-request.ts'

const request = writeChatRequest({
  model: 'gemma3:4b',
  settings: plainSettings,
  said: [],
  question: 'Why is the sky blue?',
})
const origin = 'http://tutti.test'
const headers = {
  'content-type': 'text/event-stream',
  'x-call-id': '01a1de68-41e4-7a3d-8c94-3293b2ac3ade',
  'x-model-provider': 'ollama',
  'x-model-used': 'm%C3%BCnchen:1b',
  'x-model-attempts': '2',
  'x-cache': 'miss',
  'x-request-id': 'r1',
}

function events(...chunks: ReadonlyArray<object | '[DONE]'>): string {
  return chunks
    .map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`)
    .join('')
}

const word = (content: string) => ({ choices: [{ delta: { content }, finish_reason: null }] })
const end = { choices: [{ delta: {}, finish_reason: 'stop' }] }

async function ask(answer: (asked: Request) => Response | Promise<Response>, signal?: AbortSignal) {
  const parts: AnswerPart[] = []
  const options = {
    send: async (asked: Request) => await answer(asked),
    origin,
    signal: signal ?? new AbortController().signal,
  }
  for await (const part of askModel(request, options)) parts.push(part)
  return parts
}

async function failureOf(asking: Promise<unknown>): Promise<ApiFailure> {
  const error = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiFailure)) throw new Error('it did not fail as it should')
  return error
}

describe('askModel', () => {
  test('yields the model, its reasoning and text, the finish reason and the token counts', async () => {
    const seen: Request[] = []
    const usage = {
      prompt_tokens: 11,
      completion_tokens: 2,
      prompt_tokens_details: { cached_tokens: 4 },
    }
    const parts = await ask((asked) => {
      seen.push(asked)
      const thought = { choices: [{ delta: { reasoning_content: 'Hm.' }, finish_reason: null }] }
      return new Response(events(thought, word('The'), word(' sky'), end, { choices: [], usage }, '[DONE]'), {
        headers,
      })
    })
    expect(parts).toEqual([
      {
        type: 'begun',
        by: {
          callId: headers['x-call-id'],
          provider: 'ollama',
          model: 'münchen:1b',
          attempts: 2,
          cache: 'miss',
        },
      },
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'The' },
      { type: 'text', text: ' sky' },
      { type: 'finish', reason: 'stop' },
      { type: 'tokens', tokens: { input: 11, cached: 4, output: 2 } },
    ])
    expect(seen[0]?.url).toBe(`${origin}/v1/chat/completions`)
    expect(await seen[0]?.json()).toEqual(request.body)
  })

  test('reports a refusal with the invalid field', async () => {
    const error = {
      message: 'temperature must be at most 2.',
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'invalid_value',
    }
    const failure = await failureOf(ask(() => Response.json({ error }, { status: 400, headers })))
    expect(failure).toMatchObject({
      status: 400,
      code: 'invalid_value',
      message: 'temperature must be at most 2.',
      problems: [{ path: 'temperature' }],
      requestId: 'r1',
    })
  })

  test('reports a proxy’s error body by its status', async () => {
    const failure = await failureOf(ask(() => new Response('<html>', { status: 502 })))
    expect(failure.message).toContain('502')
  })

  test('yields the text before an error ends the stream', async () => {
    const error = {
      message: 'The node went away.',
      type: 'server_error',
      param: null,
      code: 'answer_broke_off',
    }
    const parts: AnswerPart[] = []
    const answer = askModel(request, {
      send: async () => new Response(events(word('The'), { error }), { headers }),
      origin,
      signal: new AbortController().signal,
    })
    const failure = await failureOf(
      (async () => {
        for await (const part of answer) parts.push(part)
      })(),
    )
    expect(parts.at(-1)).toEqual({ type: 'text', text: 'The' })
    expect(failure).toMatchObject({ code: 'answer_broke_off', message: 'The node went away.' })
  })

  test('reports a stream without an end marker as interrupted', async () => {
    const failure = await failureOf(ask(() => new Response(events(word('The')), { headers })))
    expect(failure.code).toBe('answer_broke_off')
  })

  test('passes on its signal, so that stopping aborts the request', async () => {
    const stop = new AbortController()
    const asking = ask(async (asked) => {
      stop.abort()
      asked.signal.throwIfAborted()
      return new Response('')
    }, stop.signal)
    await expect(asking).rejects.toThrow('aborted')
  })
})
