import { expect, test } from 'vitest'
import type { ChatMessage, ModelCall } from '../providers/provider.ts'
import { describeChat, describeEmbed } from './describe-request.ts'

const call = (messages: readonly ChatMessage[], more: Partial<ModelCall> = {}): ModelCall => ({
  model: 'violin',
  kind: 'chat',
  messages,
  ...more,
})

test('describes messages, tool calls, tools and parameters', async () => {
  const { content, truncated } = await describeChat(
    call(
      [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Weather in Oslo?', name: 'ada' },
        {
          role: 'assistant',
          content: '',
          thinking: [{ text: 'I need the tool.', signature: 'abc' }],
          toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Oslo","api_key":"topsecretvalue"}' }],
        },
        { role: 'tool', toolCallId: 'c1', content: '3 °C', isError: false },
      ],
      {
        tools: [{ name: 'weather', description: 'The weather', parameters: { type: 'object' } }],
        temperature: 0.2,
        maxTokens: 50,
        toolChoice: 'auto',
        original: {
          protocol: 'openai.chat',
          body: { logit_bias: { 50256: -100 } },
          stream: false,
          nativeFields: ['logit_bias'],
        },
      },
    ),
  )
  expect(truncated).toBe(false)
  expect(content).toEqual({
    kind: 'chat',
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Weather in Oslo?', name: 'ada' },
      {
        role: 'assistant',
        content: '',
        thinking: 'I need the tool.',
        tool_calls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Oslo","api_key":"[redacted]"}' }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '3 °C' },
    ],
    tools: [{ name: 'weather', description: 'The weather', parameters: { type: 'object' } }],
    parameters: { temperature: 0.2, max_tokens: 50, tool_choice: 'auto', logit_bias: { 50256: -100 } },
  })
})

test('replaces media by their type and size', async () => {
  const { content } = await describeChat(
    call(
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', url: `data:image/png;base64,${'A'.repeat(4000)}` },
            { type: 'image', url: 'https://example.com/a.png?X-Signature=abcdef' },
            { type: 'audio', data: 'A'.repeat(400), format: 'wav' },
            { type: 'file', url: `data:application/pdf;base64,${'A'.repeat(4)}`, filename: 'a.pdf' },
          ],
        },
      ],
      { runtime: { images: ['A'.repeat(4000)] } },
    ),
  )
  expect(content.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', media: '[image/png, 3000 bytes]' },
        { type: 'image', media: 'https://example.com/a.png' },
        { type: 'audio', media: '[audio/wav, 300 bytes]' },
        { type: 'file', media: '[application/pdf, 3 bytes]', filename: 'a.pdf' },
      ],
    },
  ])
  expect(content.parameters).toEqual({ images: ['[media, 3000 bytes]'] })
})

test('keeps the first message and the last ones of a long conversation, within the size limit', async () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'The rules.' },
    ...Array.from({ length: 2000 }, (_, index) => ({
      role: 'user' as const,
      content: `Message ${index} ${'words '.repeat(500)}`,
    })),
  ]
  const { content, truncated } = await describeChat(
    call(messages, { tools: [{ name: 't', parameters: {} }] }),
  )
  const kept = content.messages ?? []
  expect(truncated).toBe(true)
  expect(kept[0]?.content).toBe('The rules.')
  expect(kept.at(-1)?.content).toMatch(/^Message 1999 /)
  expect(content.omitted_messages).toBe(2001 - kept.length)
  expect(JSON.stringify(content).length).toBeLessThan(110_000)
  expect(content.tools).toEqual([{ name: 't', parameters: {} }])
})

test('describes the inputs of embeddings', async () => {
  const { content } = await describeEmbed({ model: 'm', inputs: ['one', 'two'], dimensions: 3 })
  expect(content).toEqual({ kind: 'embed', inputs: ['one', 'two'], parameters: { dimensions: 3 } })
})
