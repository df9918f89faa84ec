import { describe, expect, test } from 'vitest'
import { protocolReaders } from '../protocols.ts'
import { createLineFraming } from './pass-lines.ts'

const framing = () => createLineFraming('The node', protocolReaders['ollama.chat'])
const chat = (content: string) =>
  `{"model":"m","message":{"role":"assistant","content":"${content}"},"done":false}\n`
const last =
  '{"model":"m","message":{"content":""},"done":true,"done_reason":"length","prompt_eval_count":11,"eval_count":3}\n'

test('lines are passed on unchanged, from any chunks', () => {
  const whole = Buffer.from(chat('über') + chat('🌤') + last)
  for (let cut = 0; cut <= whole.length; cut++) {
    const lines = framing()
    const passed = [lines.add(whole.subarray(0, cut)), lines.add(whole.subarray(cut))]
    expect(Buffer.concat(passed.map((item) => item?.bytes ?? Buffer.alloc(0)))).toEqual(whole)
    expect(passed.reduce((sum, item) => sum + (item?.outputBytes ?? 0), 0)).toBe(4 + 2)
    expect(passed.find((item) => item?.end !== undefined)?.end).toMatchObject({
      finish: 'length',
      usage: { inputTokens: 11, outputTokens: 3 },
    })
  }
})

test('empty lines are not passed on, and the last line may lack its line break', () => {
  const lines = framing()
  expect(lines.add(Buffer.from('\n\r\n'))).toBeUndefined()
  expect(lines.add(Buffer.from(last.trimEnd()))).toBeUndefined()
  expect(lines.finish()).toMatchObject({ bytes: Buffer.from(last), end: { finish: 'length' } })
})

test('the end inside a text or a tool call is not the end of the response', () => {
  const call = { function: { name: 'a', arguments: { done: true } } }
  const texts = [
    JSON.stringify({ message: { content: '"done":true' }, done: false }),
    JSON.stringify({ message: { content: '', tool_calls: [call] }, done: false }),
  ]
  for (const text of texts) expect(framing().add(Buffer.from(`${text}\n`))?.end).toBeUndefined()
})

describe('a node fails', () => {
  test.each([
    [
      'with an error line',
      '{"error":"out of\\nmemory"}\n',
      'unavailable',
      /middle of the response: out of memory$/,
    ],
    [
      'with an error of another gateway',
      '{"error":{"code":"x","message":"Gone."}}\n',
      'unavailable',
      /: Gone\.$/,
    ],
    ['with a line that is no response', '{"models":[]}\n', 'malformed', /not part of a response/],
    ['with a page', '<h1>Hello</h1>\n', 'malformed', /not part of a response/],
    ['with half a last line', '{"done":true,\n', 'malformed', /not part of a response/],
  ])('%s', (_what, text, kind, message) => {
    expect(() => framing().add(Buffer.from(text))).toThrow(
      expect.objectContaining({ kind, message: expect.stringMatching(message) }),
    )
  })

  test('without its last line', () => {
    const lines = framing()
    lines.add(Buffer.from(chat('Hi')))
    expect(() => lines.finish()).toThrow('ended the response without its last line')
  })

  test('with a line without end', () => {
    const lines = framing()
    const piece = Buffer.alloc(8 * 1024 * 1024, 'x')
    expect(() => [lines.add(piece), lines.add(piece), lines.add(piece)]).toThrow('too large')
  })
})
