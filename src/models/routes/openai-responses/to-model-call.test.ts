import { expect, test } from 'vitest'
import type { Item } from '../../stored-responses/stored-responses.ts'
import { responsesCall } from './to-model-call.ts'

const messagesOf = (own: readonly Item[], earlier: readonly Item[] = []) =>
  responsesCall({ model: 'm' }, { earlier, own }).messages

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'add', arguments: '{}' })
const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: `result ${id}` })
const user = { type: 'message', role: 'user', content: 'Hi' }

test('the items of a turn of the assistant are one message', () => {
  const text = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] }
  const signed = {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: 'signature:s',
  }
  const unsigned = { type: 'reasoning', summary: [], encrypted_content: 'of OpenAI' }
  expect(
    messagesOf([user, signed, unsigned, text, call('a'), call('b'), result('b'), result('a'), text]),
  ).toEqual([
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: 'Wait.',
      thinking: [{ text: 'Hm.', signature: 's' }],
      toolCalls: [
        { id: 'a', name: 'add', arguments: '{}' },
        { id: 'b', name: 'add', arguments: '{}' },
      ],
    },
    { role: 'tool', toolCallId: 'b', content: 'result b' },
    { role: 'tool', toolCallId: 'a', content: 'result a' },
    { role: 'assistant', content: 'Wait.' },
  ])
})

test('a result may belong to a call of an earlier response', () => {
  expect(messagesOf([result('a')], [user, call('a')])).toHaveLength(3)
})

test.each([
  ['a result twice', [user, call('a'), result('a'), result('a')], 'input[3].call_id'],
  ['a result before its call', [user, result('a'), call('a')], 'input[1].call_id'],
  ['a call without a result', [user, call('a')], 'input'],
])('%s is refused', (_name, items, path) => {
  expect(() => messagesOf(items)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ path })] }),
  )
})

test('items that only their provider understands are left out', () => {
  const search = { type: 'web_search_call', id: 'ws_1' }
  const odd = { type: 'message', role: 'assistant', content: 7 }
  expect(messagesOf([user], [search, odd])).toEqual([{ role: 'user', content: 'Hi' }])
})
