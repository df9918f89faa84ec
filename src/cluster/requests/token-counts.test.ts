import { describe, expect, test } from 'vitest'
import { ResponseTail } from './response-tail.ts'
import { readTokenCounts } from './token-counts.ts'

describe('readTokenCounts', () => {
  test.each([
    [
      'the last line of a stream',
      '{"done":false}\n{"done":true,"prompt_eval_count":26,"eval_count":298}\n',
      [26, 298],
    ],
    [
      'a response in one piece',
      '{"response":"Hi","context":[1,2],"prompt_eval_count": 5,"eval_count": 7}',
      [5, 7],
    ],
    ['a cached prompt', '{"done":true,"eval_count":3}', [0, 3]],
    ['the OpenAI format', '{"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}}', [9, 12]],
    ['embeddings', '{"embeddings":[[0.1]],"prompt_eval_count":8}', [8, 0]],
  ])('reads %s', (_what, text, [prompt, completion]) => {
    expect(readTokenCounts(Buffer.from(text))).toEqual({ prompt, completion })
  })

  test('reads the input count from the first event when the end has only the output count', () => {
    const tail = new ResponseTail()
    const events = [
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":25,"output_tokens":1}}}\n\n',
      ...Array.from({ length: 50 }, () => 'event: content_block_delta\ndata: {}\n\n'),
      'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":15}}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ]
    for (const event of events) tail.add(Buffer.from(event))
    expect(readTokenCounts(tail.bytes(), tail.beginning())).toEqual({ prompt: 25, completion: 15 })
  })

  test('ignores counts inside the output of the model', () => {
    const text = JSON.stringify({ response: 'put "eval_count": 5 and "prompt_tokens":7 there' })
    expect(readTokenCounts(Buffer.from(text))).toBeUndefined()
  })
})

describe('the response tail', () => {
  test('joins a count that is split across chunks', () => {
    const tail = new ResponseTail()
    for (const piece of ['x'.repeat(5000), '{"done":true,"eval_', 'count":12}', '\n'])
      tail.add(Buffer.from(piece))
    expect(readTokenCounts(tail.bytes())).toEqual({ prompt: 0, completion: 12 })
  })
})
