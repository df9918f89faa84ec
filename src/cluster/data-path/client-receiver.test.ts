import { describe, expect, test } from 'vitest'
import type { StreamFraming } from '../requests/response-content.ts'
import { WholePieces } from './client-receiver.ts'

/** The data forwarded after each chunk, and the buffered rest at the end. */
function pass(kind: StreamFraming, ...chunks: string[]) {
  const pieces = new WholePieces(kind)
  const passed = chunks.map((chunk) => pieces.take(Buffer.from(chunk))?.toString() ?? '')
  return { passed, rest: pieces.rest()?.toString() ?? '', isWhole: pieces.isWhole }
}

describe('a stream of lines', () => {
  test.each<[string, string[], string[], string]>([
    ['forwards complete lines unchanged', ['a\n', 'b\nc\n'], ['a\n', 'b\nc\n'], ''],
    ['buffers an incomplete line until it is complete', ['a', 'b', 'c\n'], ['', '', 'abc\n'], ''],
    ['buffers only the incomplete line', ['a\nb', '\nc'], ['a\n', 'b\n'], 'c'],
    ['treats an empty line as a line', ['\n', '\n\n'], ['\n', '\n\n'], ''],
  ])('%s', (_name, chunks, passed, rest) => {
    expect(pass('line', ...chunks)).toEqual({ passed, rest, isWhole: true })
  })
})

describe('a stream of events', () => {
  test.each<[string, string[], string[], string]>([
    [
      'forwards complete events',
      ['data: 1\n\n', ': ping\n\ndata: 2\n\n'],
      ['data: 1\n\n', ': ping\n\ndata: 2\n\n'],
      '',
    ],
    ['buffers an event until its empty line', ['data: 1\n', '\n'], ['', 'data: 1\n\n'], ''],
    [
      'buffers only the incomplete event',
      ['data: 1\n\ndata: 2\nda', 'ta: 3\n\n'],
      ['data: 1\n\n', 'data: 2\ndata: 3\n\n'],
      '',
    ],
    [
      'accepts CRLF line endings',
      ['data: 1\r\n\r\ndata', ': 2\r\n\r', '\n'],
      ['data: 1\r\n\r\n', '', 'data: 2\r\n\r\n'],
      '',
    ],
    ['has a rest when it ends early', ['data: 1\n\ndata: {"a'], ['data: 1\n\n'], 'data: {"a'],
  ])('%s', (_name, chunks, passed, rest) => {
    expect(pass('event', ...chunks)).toEqual({ passed, rest, isWhole: true })
  })
})

test('a line above the buffer limit is forwarded in parts without loss', () => {
  const long = 'x'.repeat(70_000)
  const { passed, rest, isWhole } = pass('line', 'a\n', long, long, 'y\nz')
  expect(passed.map(({ length }) => length)).toEqual([2, 70_000, 70_000, 2])
  expect([rest, isWhole]).toEqual(['z', true])
  expect(pass('line', long).isWhole).toBe(false)
})
