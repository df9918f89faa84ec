import { expect, test } from 'vitest'
import { createOutput } from './output-events.ts'

test('the arguments of several calls may alternate', () => {
  const output = createOutput('c')
  output.add({ type: 'tool_call', index: 0, id: 'a', name: 'add' })
  output.add({ type: 'tool_call', index: 1, id: 'b', name: 'add' })
  output.add({ type: 'tool_arguments', index: 0, text: '{"x"' })
  output.add({ type: 'tool_arguments', index: 1, text: '{"y"' })
  output.add({ type: 'tool_arguments', index: 0, text: ':1}' })
  output.add({ type: 'tool_arguments', index: 1, text: ':2}' })
  const events = output.end('tool_calls')
  expect(events.map(({ type, output_index: index }) => [type, index])).toEqual([
    ['response.function_call_arguments.done', 0],
    ['response.output_item.done', 0],
    ['response.function_call_arguments.done', 1],
    ['response.output_item.done', 1],
  ])
  expect(output.items()).toEqual([
    {
      id: 'fc_c_0',
      type: 'function_call',
      status: 'completed',
      call_id: 'a',
      name: 'add',
      arguments: '{"x":1}',
    },
    {
      id: 'fc_c_1',
      type: 'function_call',
      status: 'completed',
      call_id: 'b',
      name: 'add',
      arguments: '{"y":2}',
    },
  ])
})

test('items end in the order of their start; each block of reasoning is one item with its signature', () => {
  const output = createOutput('c')
  output.add({ type: 'thinking', text: 'One. ' })
  output.add({ type: 'thinking', text: 'Two.' })
  output.add({ type: 'thinking_end', signature: 's1' })
  output.add({ type: 'thinking', text: 'Three.' })
  output.add({ type: 'text', text: 'Hello' })
  output.add({ type: 'tool_call', index: 0, id: 'a', name: 'add' })
  output.add({ type: 'text', text: 'Bye' })
  // Late arguments of a call that has ended are dropped.
  expect(output.add({ type: 'tool_arguments', index: 0, text: '{}' })).toEqual([])
  output.end('length')
  expect(output.items()).toMatchObject([
    { id: 'rs_c_0', summary: [{ text: 'One. Two.' }], encrypted_content: 'signature:s1' },
    { id: 'rs_c_1', summary: [{ text: 'Three.' }] },
    { id: 'msg_c_2', status: 'completed', content: [{ text: 'Hello' }] },
    { id: 'fc_c_3', status: 'completed', arguments: '' },
    { id: 'msg_c_4', status: 'incomplete', content: [{ text: 'Bye' }] },
  ])
})

test('a response without output has no items', () => {
  const output = createOutput('c')
  expect(output.add({ type: 'thinking_end', signature: 's' })).toEqual([])
  expect(output.end('stop')).toEqual([])
  expect(output.items()).toEqual([])
})
