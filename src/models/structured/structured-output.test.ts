import { afterAll, describe, expect, test } from 'vitest'
import type { ChatRequest, Gateway } from '../gateway/contract.ts'
import type { FinishReason, ModelCall, ModelPart } from '../providers/provider.ts'
import { createSchemaChecker } from './schema-checker.ts'
import { createGenerateJson } from './structured-output.ts'

const checker = createSchemaChecker({ timeoutMs: 20_000 })

afterAll(() => checker[Symbol.asyncDispose]())

const schema = {
  type: 'object',
  required: ['team'],
  properties: { team: { enum: ['billing', 'support'] } },
}

interface Line {
  readonly says: string
  readonly finish?: FinishReason
  readonly microDollars?: number | null
}

/** A gateway to a model with these outputs, one for each call. */
function startGateway(...lines: readonly Line[]) {
  const calls: ModelCall[] = []
  let left = 0
  const gateway: Pick<Gateway, 'chat'> = {
    async chat({ call }) {
      const line = lines[calls.length]
      if (line === undefined) throw new Error('asked once too often')
      calls.push(call)
      const { says, finish = 'stop', microDollars = 5 } = line
      return {
        callId: `call-${calls.length}`,
        provider: 'openai',
        model: call.model,
        attempts: 1,
        cache: 'off',
        isRaw: false,
        parts: say(says, finish),
        cost: Promise.resolve({
          inputTokens: 10,
          cachedInputTokens: null,
          outputTokens: 2,
          microDollars,
          latencyMs: 20,
          firstTokenMs: 7,
        }),
      }
    },
  }

  async function* say(text: string, finish: FinishReason): AsyncGenerator<ModelPart> {
    try {
      yield { type: 'thinking', text: '{"team": "sales"}' }
      for (let from = 0; from < text.length; from += 1000) {
        yield { type: 'text', text: text.slice(from, from + 1000) }
      }
      const usage = { inputTokens: 10, cachedInputTokens: null, outputTokens: 2 }
      yield { type: 'end', finish, usage }
    } finally {
      left += 1
    }
  }

  return { ask: createGenerateJson({ gateway, checker }), calls, streamsLeft: () => left }
}

function requestOf(kind: ModelCall['kind'] = 'chat'): ChatRequest {
  const messages = [
    { role: 'system', content: 'You route letters.' },
    { role: 'user', content: 'My bill is wrong.' },
  ] as const
  return {
    accountId: 'nadia',
    budget: { reserve: async () => ({ settle: async () => {} }) },
    fallback: 'none',
    signal: new AbortController().signal,
    source: 'test',
    call: { model: 'gpt-4o-mini', kind, messages, maxTokens: 50 },
    cache: 'off',
  }
}

describe('output that satisfies the schema', () => {
  test('is returned after the first call', async () => {
    const { ask, calls } = startGateway({ says: '{"team": "billing"}' })
    expect(await ask({ request: requestOf(), schema })).toEqual({
      value: { team: 'billing' },
      text: '{"team": "billing"}',
      asked: 1,
      finish: 'stop',
      callId: 'call-1',
      provider: 'openai',
      model: 'gpt-4o-mini',
      attempts: 1,
      cache: 'off',
      cost: {
        inputTokens: 10,
        cachedInputTokens: 0,
        outputTokens: 2,
        microDollars: 5,
        latencyMs: 20,
        firstTokenMs: 7,
      },
    })
    expect(calls).toEqual([{ ...requestOf().call, format: { schema } }])
  })

  test.each([
    ['between other words', 'As [1] says:\n```json\n{"team": "billing",}\n```'],
    ['beside something else that is JSON', '[1] {"team": "sales"} {"team": "billing"}'],
  ])('is found %s', async (_name, says) => {
    const { ask } = startGateway({ says })
    expect(await ask({ request: requestOf(), schema })).toMatchObject({
      value: { team: 'billing' },
      asked: 1,
    })
  })

  test('is returned although the output was cut off after it', async () => {
    const { ask } = startGateway({ says: '{"team": "billing"} and', finish: 'length' })
    expect(await ask({ request: requestOf(), schema })).toMatchObject({ value: { team: 'billing' } })
  })
})

describe('output that does not satisfy the schema', () => {
  test('is requested again with its problems, and all calls are paid for', async () => {
    const { ask, calls } = startGateway(
      { says: 'Billing, I think.' },
      { says: '{"team": "sales"}', microDollars: 7 },
      { says: '{"team": "billing"}' },
    )
    const answer = await ask({ request: requestOf(), schema })
    expect(answer).toMatchObject({
      asked: 3,
      callId: 'call-3',
      cost: { microDollars: 17, latencyMs: 60, firstTokenMs: 7 },
    })
    const [first, second, third] = calls.map(({ messages }) => messages)
    expect(second?.slice(0, 2)).toEqual(first)
    expect(second?.slice(2)).toEqual([
      { role: 'assistant', content: 'Billing, I think.' },
      { role: 'user', content: expect.stringContaining('the answer is not JSON') },
    ])
    expect(third?.slice(2)).toEqual([
      { role: 'assistant', content: '{"team": "sales"}' },
      {
        role: 'user',
        content: expect.stringMatching(
          /\/team must be equal to one of the allowed values.*"billing"[\s\S]*JSON schema/,
        ),
      },
    ])
  })

  test('becomes part of the prompt of a completion', async () => {
    const { ask, calls } = startGateway({ says: 'no' }, { says: '{"team": "support"}' })
    await ask({ request: requestOf('generate'), schema })
    expect(calls[1]?.messages).toEqual([
      { role: 'system', content: 'You route letters.' },
      { role: 'user', content: expect.stringMatching(/^My bill is wrong\.\n\nThe last answer was:\nno\n\n/) },
    ])
  })

  test('is a failure with its problems after the last attempt', async () => {
    const { ask } = startGateway({ says: '{"team": "sales"}' }, { says: '{}' })
    await expect(ask({ request: requestOf(), schema, attempts: 2 })).rejects.toMatchObject({
      code: 'answer_not_as_asked',
      status: 502,
      message: expect.stringContaining("its /team must have required property 'team' (after 2 attempts)"),
      problems: [{ path: '/team', code: 'required' }],
      details: { asked: 2, micro_dollars: 10 },
    })
  })

  test.each([
    ['it was cut off', 'length', '{"team": "bil', 'was cut off'],
    ['a content filter blocked it', 'content_filter', '{"team": "billing"}', 'was blocked'],
  ] as const)('is not requested again when %s', async (_name, finish, says, message) => {
    const { ask, calls } = startGateway({ says, finish })
    await expect(ask({ request: requestOf(), schema })).rejects.toThrow(message)
    expect(calls).toHaveLength(1)
  })

  test('is not read beyond the length bound', async () => {
    const { ask, streamsLeft } = startGateway({ says: '[1] '.repeat(500_000) })
    await expect(ask({ request: requestOf(), schema })).rejects.toMatchObject({ code: 'answer_not_as_asked' })
    expect(streamsLeft()).toBe(1)
  })

  test('makes the total cost unknown when its cost is unknown', async () => {
    const { ask } = startGateway({ says: 'no', microDollars: null }, { says: '{"team": "billing"}' })
    expect(await ask({ request: requestOf(), schema })).toMatchObject({ cost: { microDollars: null } })
  })
})

test('an unusable schema costs nothing', async () => {
  const { ask, calls } = startGateway()
  const broken = { type: 'objekt' }
  await expect(ask({ request: requestOf(), schema: broken })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(calls).toEqual([])
})

test('failures of the gateway reach the caller unchanged', async () => {
  const { ask } = startGateway({ says: 'no' })
  await expect(ask({ request: requestOf(), schema })).rejects.toThrow('asked once too often')
})
