import { describe, expect, test } from 'vitest'
import { plainSettings } from './ask-settings.ts'
import { writeChatRequest, writeTerminalExample, writeTypeScript } from './chat-request.ts'

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

  test('sends all options that are set', () => {
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
  ])('parses the fallback models %j', (fallbackModels, headers) => {
    const settings = { ...plainSettings, fallback: 'these', fallbackModels } as const
    expect(writeChatRequest({ ...asked, settings }).headers).toEqual(headers)
  })
})

const request = writeChatRequest({
  model: 'gemma3:4b',
  settings: { ...plainSettings, fallback: 'any' },
  said: [],
  question: "What's “this”?",
})

/** Unquotes a text as a shell does. */
function unquote(text: string): string {
  return text.replaceAll(String.raw`'\''`, "'")
}

describe('writeTerminalExample', () => {
  const curl = writeTerminalExample(request, 'https://tutti.example')

  test('sends the same request as the page, with a key from the environment', () => {
    expect(curl).toContain('curl -N https://tutti.example/v1/chat/completions \\\n')
    expect(curl).toContain('-H "Authorization: Bearer $TUTTI_API_KEY"')
    expect(curl).toContain("-H 'X-Model-Fallback: any'")
  })

  test('has a body that the shell passes on unchanged, including quotes', () => {
    const body = /-d '([\s\S]*)'\n$/.exec(curl)?.[1] ?? ''
    expect(JSON.parse(unquote(body))).toEqual(request.body)
  })
})

test('the program sends the same request through the openai package', () => {
  const program = writeTypeScript(request, 'https://tutti.example')
  expect(program).toContain('baseURL: "https://tutti.example/v1"')
  expect(program).toContain('{ headers: {"X-Model-Fallback":"any"} })')
  const body = /create\((\{[\s\S]*\n\}), \{ headers/.exec(program)?.[1] ?? ''
  expect(JSON.parse(body)).toEqual(request.body)
})
