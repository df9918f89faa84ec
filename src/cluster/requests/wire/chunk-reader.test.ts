import { describe, expect, test } from 'vitest'
import { ChunkReader } from './chunk-reader.ts'

/** Decodes a body that arrives in these pieces and joins the output. */
function readPieces(...pieces: readonly string[]) {
  const reader = new ChunkReader()
  let body = ''
  for (const piece of pieces) {
    expect(reader.endedAt).toBeUndefined()
    body += reader.read(Buffer.from(piece, 'latin1'), 0).toString('latin1')
  }
  return { body, endedAt: reader.endedAt }
}

describe('a chunked body', () => {
  test('is decoded to the data of its chunks', () => {
    expect(readPieces('5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n')).toEqual({ body: 'hello world', endedAt: 26 })
  })

  test('that arrives in one piece is returned in one piece', () => {
    const bytes = Buffer.from('....1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n')
    const body = new ChunkReader().read(bytes, 4)
    expect(body.toString()).toBe('abcdef')
    expect(body.buffer).toBe(bytes.buffer)
  })

  test('may contain line breaks and digits', () => {
    expect(readPieces('b\r\n0\r\n\r\n5\r\nx\r\n\r\n0\r\n\r\n').body).toBe('0\r\n\r\n5\r\nx\r\n')
  })

  test('can be split anywhere', () => {
    const whole = '5;a="b"\r\nhello\r\n00006\r\n world\r\n0\r\nX-Sum: 1\r\nX-Two: 2\r\n\r\n'
    for (let first = 0; first <= whole.length; first++) {
      for (let second = first; second <= whole.length; second += 3) {
        const pieces = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)]
        expect(readPieces(...pieces.filter((piece) => piece !== '')).body).toBe('hello world')
      }
    }
    expect(readPieces(...whole.split('')).body).toBe('hello world')
  })

  test('reports its end', () => {
    expect(readPieces('1\r\na\r\n', '0\r\n\r\nHTTP/1.1 200 OK')).toEqual({ body: 'a', endedAt: 5 })
    expect(readPieces('0\r\nX-Sum: 1\r\n\r\n').endedAt).toBe(15)
  })

  test('accepts chunk sizes in either case', () => {
    const text = 'x'.repeat(0xab)
    expect(readPieces(`aB\r\n${text}\r\n0\r\n\r\n`).body).toBe(text)
  })

  test.each([
    '\r\n',
    'x\r\n',
    '-1\r\n',
    '+1\r\n',
    ' 1\r\n',
    '1 \r\n',
    '0x1\r\n',
    '1.0\r\n',
    '1,1\r\n',
    ';a\r\n',
    '1\n',
    '\0',
    '1\0',
  ])('is rejected with the size %j', (size) => {
    expect(() => readPieces(`${size}a\r\n`)).toThrow('a chunk has a size that is not a number')
  })

  test('with a size above the limit is rejected', () => {
    expect(() => readPieces('1000000000000\r\n')).toThrow('a chunk is too large')
    expect(() => readPieces('0000000000001\r\n')).toThrow('a chunk is too large')
  })

  test.each([
    ['1\rxa', 'a chunk does not end where it should'],
    ['1\r\nab\r\n', 'a chunk does not end where it should'],
    ['1\r\na\n', 'a chunk does not end where it should'],
    ['1\r\na\rb', 'a chunk does not end where it should'],
    ['2\r\na\r\n0\r\n\r\n', 'a chunk does not end where it should'],
    ['0\r\n\ra', 'a chunk does not end where it should'],
    ['1;a\nb\r\n', 'a chunk has an extension that is none'],
    ['1;a\0b\r\n', 'a chunk has an extension that is none'],
    [`1;${'a'.repeat(300)}\r\n`, 'a chunk has an extension that is none'],
    ['0\r\nno name\r\n\r\n', 'it has a header without a proper name'],
    ['0\r\n folded: a\r\n\r\n', 'it has a header without a proper name'],
    ['0\r\nX-Own: a\nb\r\n\r\n', 'it has control characters in a header'],
    [`0\r\n${'X-Own: a\r\n'.repeat(2000)}`, 'too much follows its last chunk'],
  ])('is rejected: %j', (text, message) => {
    expect(() => readPieces(text)).toThrow(message)
    expect(() => readPieces(...text.split(''))).toThrow(message)
  })
})
