import { describe, expect, test } from 'vitest'
import { type PieceKind, WholePieces } from './client-receiver.ts'

/** What is let through at each chunk, and what is held in the end. */
function pass(kind: PieceKind, ...chunks: string[]) {
  const pieces = new WholePieces(kind)
  const passed = chunks.map((chunk) => pieces.take(Buffer.from(chunk))?.toString() ?? '')
  return { passed, rest: pieces.rest()?.toString() ?? '', isWhole: pieces.isWhole }
}

describe('a stream of lines', () => {
  test.each<[string, string[], string[], string]>([
    ['passes whole lines as they are', ['a\n', 'b\nc\n'], ['a\n', 'b\nc\n'], ''],
    ['keeps half a line until the rest is there', ['a', 'b', 'c\n'], ['', '', 'abc\n'], ''],
    ['keeps only the half', ['a\nb', '\nc'], ['a\n', 'b\n'], 'c'],
    ['takes an empty line for a line', ['\n', '\n\n'], ['\n', '\n\n'], ''],
  ])('%s', (_name, chunks, passed, rest) => {
    expect(pass('line', ...chunks)).toEqual({ passed, rest, isWhole: true })
  })
})

describe('a stream of events', () => {
  test.each<[string, string[], string[], string]>([
    [
      'passes whole events',
      ['data: 1\n\n', ': ping\n\ndata: 2\n\n'],
      ['data: 1\n\n', ': ping\n\ndata: 2\n\n'],
      '',
    ],
    ['keeps an event until its empty line', ['data: 1\n', '\n'], ['', 'data: 1\n\n'], ''],
    [
      'keeps only what is not whole',
      ['data: 1\n\ndata: 2\nda', 'ta: 3\n\n'],
      ['data: 1\n\n', 'data: 2\ndata: 3\n\n'],
      '',
    ],
    [
      'knows the other way to end a line',
      ['data: 1\r\n\r\ndata', ': 2\r\n\r', '\n'],
      ['data: 1\r\n\r\n', '', 'data: 2\r\n\r\n'],
      '',
    ],
    ['has a rest when it ends too early', ['data: 1\n\ndata: {"a'], ['data: 1\n\n'], 'data: {"a'],
  ])('%s', (_name, chunks, passed, rest) => {
    expect(pass('event', ...chunks)).toEqual({ passed, rest, isWhole: true })
  })
})

test('a piece too long to be held passes in parts, and nothing of it is lost', () => {
  const long = 'x'.repeat(70_000)
  const { passed, rest, isWhole } = pass('line', 'a\n', long, long, 'y\nz')
  expect(passed.map(({ length }) => length)).toEqual([2, 70_000, 70_000, 2])
  expect([rest, isWhole]).toEqual(['z', true])
  expect(pass('line', long).isWhole).toBe(false)
})
