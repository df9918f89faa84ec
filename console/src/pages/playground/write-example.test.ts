import { describe, expect, test } from 'vitest'
import { plainSettings } from './ask-settings.ts'
import { writeChatRequest } from './chat-request.ts'
import { writeTerminalExample, writeTypeScript } from './write-example.ts'

const request = writeChatRequest({
  model: 'gemma3:4b',
  settings: { ...plainSettings, fallback: 'any' },
  said: [],
  question: "What's “this”?",
})

/** What a shell makes of what stands between quotes. */
function unquote(text: string): string {
  return text.replaceAll(String.raw`'\''`, "'")
}

describe('writeTerminalExample', () => {
  const curl = writeTerminalExample(request, 'https://tutti.example')

  test('asks the same as the page does, with a key from the environment', () => {
    expect(curl).toContain('curl -N https://tutti.example/v1/chat/completions \\\n')
    expect(curl).toContain('-H "Authorization: Bearer $TUTTI_API_KEY"')
    expect(curl).toContain("-H 'X-Model-Fallback: any'")
  })

  test('has a body that the shell hands over as it is, quotes and all', () => {
    const body = /-d '([\s\S]*)'\n$/.exec(curl)?.[1] ?? ''
    expect(JSON.parse(unquote(body))).toEqual(request.body)
  })
})

test('the program asks the same through the openai package', () => {
  const program = writeTypeScript(request, 'https://tutti.example')
  expect(program).toContain('baseURL: "https://tutti.example/v1"')
  expect(program).toContain('{ headers: {"X-Model-Fallback":"any"} })')
  const body = /create\((\{[\s\S]*\n\}), \{ headers/.exec(program)?.[1] ?? ''
  expect(JSON.parse(body)).toEqual(request.body)
})
