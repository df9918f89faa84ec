import { describe, expect, test } from 'vitest'
import type { ChatRequestBody } from './chat-request.ts'
import { chatCall, completionCall, strictSchemaOf } from './to-model-call.ts'

const model = 'gpt-4o-mini'
const messages: ChatRequestBody['messages'] = [{ role: 'user', content: 'Why?' }]

/** Removes undefined fields, which count as absent. */
const plain = (call: object) => JSON.parse(JSON.stringify(call)) as unknown

describe('a chat request', () => {
  test('keeps its messages and treats developer as system', () => {
    const call = chatCall({
      model,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Why' },
            { type: 'text', text: 'so?' },
          ],
        },
        { role: 'assistant', content: 'Because.', reasoning_content: 'Hm.' },
      ],
    })
    expect(plain(call)).toEqual({
      model,
      kind: 'chat',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why\nso?' },
        { role: 'assistant', content: 'Because.' },
      ],
    })
  })

  test('keeps its sampling options', () => {
    const call = chatCall({
      model,
      messages,
      temperature: 0.5,
      top_p: 0.9,
      seed: -3,
      stop: '\n',
      presence_penalty: 1,
      frequency_penalty: -1,
      max_tokens: 20,
    })
    expect(call).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      seed: -3,
      stop: ['\n'],
      presencePenalty: 1,
      frequencyPenalty: -1,
      maxTokens: 20,
    })
    expect(chatCall({ model, messages, max_completion_tokens: 7 }).maxTokens).toBe(7)
    expect(chatCall({ model, messages, stop: ['a', 'b'] }).stop).toEqual(['a', 'b'])
  })

  test('may have only one token limit', () => {
    expect(() => chatCall({ model, messages, max_tokens: 1, max_completion_tokens: 1 })).toThrow(
      'max_tokens and max_completion_tokens are the same',
    )
  })

  test('may have stream options only with streaming', () => {
    expect(() => chatCall({ model, messages, stream_options: { include_usage: true } })).toThrow(
      'stream_options needs "stream": true',
    )
  })
})

const formOf = (response_format?: NonNullable<ChatRequestBody['response_format']>) =>
  chatCall({ model, messages, ...(response_format !== undefined && { response_format }) }).format

describe('the response format', () => {
  const schema = { type: 'object', properties: { sky: { type: 'string' } } }

  test('is text, JSON, or JSON with a schema', () => {
    expect(formOf()).toBeUndefined()
    expect(formOf({ type: 'text' })).toBeUndefined()
    expect(formOf({ type: 'json_object' })).toEqual({})
    expect(formOf({ type: 'json_schema', json_schema: { name: 'sky' } })).toEqual({})
    expect(
      formOf({ type: 'json_schema', json_schema: { name: 'sky', description: 'Of today.', schema } }),
    ).toEqual({
      schema: { title: 'sky', description: 'Of today.', ...schema },
    })
  })

  test('keeps the title of the schema', () => {
    expect(formOf({ type: 'json_schema', json_schema: { name: 'sky', schema: { title: 'Sky' } } })).toEqual({
      schema: { title: 'Sky' },
    })
  })

  test('is refused when it is contradictory', () => {
    expect(() => formOf({ type: 'json_schema' })).toThrow('response_format.json_schema is required')
    expect(() => formOf({ type: 'text', json_schema: { name: 'sky' } })).toThrow(
      'response_format.json_schema needs the type json_schema',
    )
  })

  test('is strict unless the caller turns strict off', () => {
    const bodyOf = (strict: boolean | undefined): ChatRequestBody => ({
      model,
      messages,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'sky', schema, ...(strict !== undefined && { strict }) },
      },
    })
    const heldTo = (strict?: boolean) => strictSchemaOf(bodyOf(strict), chatCall(bodyOf(strict)))
    expect(heldTo()).toMatchObject(schema)
    expect(heldTo(true)).toMatchObject(schema)
    expect(heldTo(false)).toBeUndefined()
  })
})

test('a completion has a prompt, and its suffix is for nodes', () => {
  expect(plain(completionCall({ model, prompt: 'def add(', suffix: 'return c', max_tokens: 5 }))).toEqual({
    model,
    kind: 'generate',
    choices: 1,
    messages: [{ role: 'user', content: 'def add(' }],
    maxTokens: 5,
    runtime: { suffix: 'return c' },
  })
})
