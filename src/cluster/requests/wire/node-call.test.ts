import { describe, expect, test } from 'vitest'
import { ResponseReader } from './node-call.ts'

/** Parses a response that arrives in these pieces and records the callbacks. */
function readPieces(...pieces: readonly string[]) {
  const heard: string[] = []
  const reader = new ResponseReader({
    head: ({ status }) => void heard.push(`head ${status}`),
    data: (bytes) => void heard.push(bytes.toString('latin1')),
    end: () => void heard.push('end'),
  })
  for (const piece of pieces) reader.read(Buffer.from(piece, 'latin1'))
  return { heard, reader }
}

const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n'
const untilClosed = 'HTTP/1.1 200 OK\r\n\r\nhello'

describe('a response', () => {
  test.each([
    ['with a length', hello, ['head 200', 'hello', 'end']],
    ['in chunks', chunked, ['head 200', 'hello!', 'end']],
    ['until the connection ends', untilClosed, ['head 200', 'hello']],
    ['of nothing', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', ['head 200', 'end']],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', ['head 204', 'end']],
    ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', ['head 304', 'end']],
    ['after a hint', `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${hello}`, ['head 200', 'hello', 'end']],
    [
      'after several',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${chunked}`,
      ['head 200', 'hello!', 'end'],
    ],
  ])('%s is parsed regardless of how it is split', (_what, text, expected) => {
    expect(readPieces(text).heard).toEqual(expected)
    const words = expected.filter((word) => !/^(?:head|end)/.test(word)).join('')
    for (let cut = 1; cut < text.length; cut++) {
      const { heard } = readPieces(text.slice(0, cut), text.slice(cut))
      expect(heard[0]).toBe(expected[0])
      expect(heard.filter((word) => !/^(?:head|end)/.test(word)).join('')).toBe(words)
      expect(heard.at(-1) === 'end').toBe(expected.at(-1) === 'end')
    }
    expect(readPieces(...text.split('')).heard[0]).toBe(expected[0])
  })

  test('without a length ends with the connection, any other response does not', () => {
    const { heard, reader } = readPieces(untilClosed)
    expect(reader.close()).toBe(true)
    expect(heard.at(-1)).toBe('end')
    for (const text of [hello.slice(0, -1), chunked.slice(0, -1), chunked.slice(0, -7), 'HTTP/1.1 200', '']) {
      const cut = readPieces(text)
      expect(cut.reader.close()).toBe(false)
      expect(cut.heard).not.toContain('end')
    }
  })

  test('leaves a reusable connection', () => {
    expect(readPieces(hello).reader.keepMs).toBe(4000)
    expect(readPieces(chunked).reader.keepMs).toBe(4000)
    expect(readPieces(hello.replace('\r\n', '\r\nConnection: close\r\n')).reader.keepMs).toBe(0)
  })

  test.each([
    ['a length', hello],
    ['chunks', chunked],
    ['no body', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['no body although there is one', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'],
  ])('with %s and further bytes is complete, but its connection is not reused', (_what, text) => {
    const { heard, reader } = readPieces(`${text}HTTP/1.1 200 OK\r\n\r\n`)
    expect(heard).toEqual(readPieces(text).heard)
    expect(reader.keepMs).toBe(0)
    expect(readPieces(`${text}\r\n`).reader.keepMs).toBe(0)
  })

  test('records whether a byte has arrived', () => {
    expect(readPieces().reader.hasBegun).toBe(false)
    expect(readPieces('H').reader.hasBegun).toBe(true)
  })

  test('is not parsed any further after it is cancelled', () => {
    const heard: string[] = []
    const reader: ResponseReader = new ResponseReader({
      head: () => void heard.push('head'),
      data() {
        heard.push('data')
        reader.stop()
      },
      end: () => void heard.push('end'),
    })
    reader.read(Buffer.from(hello))
    reader.read(Buffer.from(hello))
    expect(heard).toEqual(['head', 'data'])
  })

  test.each([
    ['SSH-2.0-OpenSSH_9.2\r\n', 'it does not begin with a status line'],
    ['{"models":[]}', 'it does not begin with a status line'],
    ['\r\nHTTP/1.1 200 OK\r\n\r\n', 'it does not begin with a status line'],
    ['HTTP/1.1 2', undefined],
    ['HTTP/1.1 200 OK\n', 'it has lines that end in an unusual way'],
    ['HTTP/1.1 200 OK\nContent-Length: 0\n\n', 'it has lines that end in an unusual way'],
    ['HTTP/1.1 200 OK\r\nX-Own: a\nb', 'it has lines that end in an unusual way'],
    ['HTTP/1.1 200 OK\r\nX-Own: a\rb', 'it has lines that end in an unusual way'],
    ['HTTP/1.1 200 OK\r\nX-Own: a\r\n', undefined],
    ['HTTP/1.1 200 OK\r\nX-Own: a\r\n\r', undefined],
    ['HTTP/1.1 200 OK\r\nX-Own: a\0', 'it has control characters in a header'],
  ])('that is not HTTP is rejected at its first invalid byte: %j', (text, message) => {
    for (const pieces of [[text], text.split('')]) {
      if (message === undefined) expect(readPieces(...pieces).heard).toEqual([])
      else expect(() => readPieces(...pieces)).toThrow(message)
    }
  })

  test('with a head above 16 KiB is rejected, complete or not', () => {
    const long = `HTTP/1.1 200 OK\r\nX-Own: ${'a'.repeat(16 * 1024)}`
    expect(() => readPieces(long)).toThrow('its head is larger than 16 KiB')
    expect(() => readPieces(`${long}\r\nContent-Length: 0\r\n\r\n`)).toThrow('its head is larger than 16 KiB')
    expect(() => readPieces(...(long.match(/.{1,1000}/gs) ?? []))).toThrow('its head is larger than 16 KiB')
    const fits = `HTTP/1.1 200 OK\r\nContent-Length: 1\r\nX-Own: ${'a'.repeat(16_000)}\r\n\r\nb`
    expect(readPieces(fits).heard).toEqual(['head 200', 'b', 'end'])
  })
})
