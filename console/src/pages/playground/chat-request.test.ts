import { describe, expect, test } from 'vitest'
import { plainSettings } from './ask-settings.ts'
import { writeChatRequest } from './chat-request.ts'

const asked = { model: 'gemma3:4b', settings: plainSettings, said: [], question: 'Why?' }

describe('writeChatRequest', () => {
  test('leaves unset options to the model', () => {
    expect(writeChatRequest(asked)).toEqual({
      body: {
        model: 'gemma3:4b',
        messages: [{ role: 'user', content: 'Why?' }],
        stream: true,
        stream_options: { include_usage: true },
      },
      headers: {},
    })
  })

  test('says everything that was set', () => {
    const settings = {
      ...plainSettings,
      system: 'Answer briefly.',
      temperature: '0',
      maxTokens: '20',
      json: true,
      fallback: 'any',
      remembered: false,
    } as const
    const { body, headers } = writeChatRequest({
      ...asked,
      settings,
      said: [
        { role: 'user', content: 'What?' },
        { role: 'assistant', content: 'That.' },
      ],
    })
    expect(body).toMatchObject({
      messages: [
        { role: 'system', content: 'Answer briefly.' },
        { role: 'user', content: 'What?' },
        { role: 'assistant', content: 'That.' },
        { role: 'user', content: 'Why?' },
      ],
      temperature: 0,
      max_tokens: 20,
      response_format: { type: 'json_object' },
    })
    expect(headers).toEqual({ 'x-model-fallback': 'any', 'cache-control': 'no-cache' })
  })

  test.each([
    ['gemma3:4b,  builtin:text,', { 'x-model-fallback': 'gemma3:4b, builtin:text' }],
    [' , ', {}],
  ])('reads the models to ask instead from %j', (fallbackModels, headers) => {
    const settings = { ...plainSettings, fallback: 'these', fallbackModels } as const
    expect(writeChatRequest({ ...asked, settings }).headers).toEqual(headers)
  })
})
