import { describe, expect, test } from 'vitest'
import { readHead } from './response-head.ts'

const head = (...lines: readonly string[]) => readHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'))

describe('the head of a response', () => {
  test('keeps its headers unchanged, without hop-by-hop headers', () => {
    expect(
      head(
        'Content-Type: Application/JSON; charset=utf-8',
        'CONTENT-LENGTH:2',
        'Connection: keep-alive',
        'X-Own: \t a b \t',
        'Set-Cookie: a=1',
        'Set-Cookie: b=2',
        'X-Empty:',
        'Upgrade: h2c',
      ),
    ).toEqual({
      status: 200,
      headers: [
        'Content-Type',
        'Application/JSON; charset=utf-8',
        'CONTENT-LENGTH',
        '2',
        'X-Own',
        'a b',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-Empty',
        '',
      ],
      type: 'application/json; charset=utf-8',
      length: 2,
      isEncoded: false,
      ending: 'length',
      keepMs: 4000,
    })
  })

  test('keeps bytes that are whitespace in text but not in HTTP', () => {
    expect(head('X-Own: \u00a0a\u00a0').headers).toEqual(['X-Own', '\u00a0a\u00a0'])
  })

  test.each([
    ['its length', ['Content-Length: 5'], 'length'],
    ['chunks', ['Transfer-Encoding: Chunked'], 'chunks'],
    ['the end of the connection', [], 'close'],
  ])('determines the end of the body by %s', (_what, lines, ending) => {
    expect(head(...lines).ending).toBe(ending)
  })

  test.each([
    ['HTTP/1.1 204 No Content', undefined],
    ['HTTP/1.1 204 No Content\r\nContent-Length: 0', 0],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 7', 7],
    ['HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked', undefined],
    ['HTTP/1.1 100 Continue', undefined],
    ['HTTP/1.1 103 Early Hints\r\nLink: </style.css>', undefined],
  ])('has no body: %j', (text, length) => {
    expect(readHead(text)).toMatchObject({ ending: 'none', length })
  })

  test.each([
    [['Content-Length: 0'], 4000],
    [['Content-Length: 0', 'Connection: keep-alive', 'Keep-Alive: timeout=60, max=3'], 4000],
    [['Content-Length: 0', 'Keep-Alive: timeout=3'], 2000],
    [['Content-Length: 0', 'Keep-Alive: timeout=1'], 0],
    [['Content-Length: 0', 'Connection: Close'], 0],
    [['Content-Length: 0', 'Connection: x-own, close'], 0],
    [['Content-Length: 0', 'Connection: close', 'Keep-Alive: timeout=60'], 0],
    [['Content-Length: 0', 'Connection: closet'], 4000],
    [[], 0],
  ])('has the keep-alive time of the connection: %j', (lines, keepMs) => {
    expect(head(...lines).keepMs).toBe(keepMs)
  })

  test('of HTTP/1.0 ends with the connection', () => {
    expect(readHead('HTTP/1.0 200 OK\r\nContent-Length: 2')).toMatchObject({ ending: 'length', keepMs: 0 })
  })

  test.each(['HTTP/1.1 200', 'HTTP/1.1 200 ', 'HTTP/1.1 299 Très bien'])('may start with %j', (text) => {
    expect(readHead(text).status).toBeGreaterThanOrEqual(200)
  })

  test.each([
    '',
    'HTTP/1.1',
    'HTTP/1.1 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 600 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1\t200 OK',
    'HTTP/1.1 200OK',
    'HTTP/1.1 200 O\u0000K',
    'HTTP/1.1 200 O\nK',
    'HTTP/2 200 OK',
    'HTTP/1.2 200 OK',
    'http/1.1 200 OK',
    ' HTTP/1.1 200 OK',
    'ICY 200 OK',
  ])('must not start with %j', (text) => {
    expect(() => readHead(text)).toThrow('it does not begin with a status line')
  })

  test.each([
    [['Content-Length: 5', 'Content-Length: 6'], 'it tells its length twice'],
    [['Content-Length: 5', 'content-length: 5'], 'it tells its length twice'],
    [['Content-Length: 5, 5'], 'its length is not a whole number'],
    [['Content-Length: -5'], 'its length is not a whole number'],
    [['Content-Length: +5'], 'its length is not a whole number'],
    [['Content-Length: 0x5'], 'its length is not a whole number'],
    [['Content-Length: 5.0'], 'its length is not a whole number'],
    [['Content-Length:'], 'its length is not a whole number'],
    [['Content-Length: 1234567890123456'], 'its length is not a whole number'],
    [['Content-Length: 5', 'Transfer-Encoding: chunked'], 'it tells its length and comes in chunks'],
    [['Transfer-Encoding: chunked', 'Content-Length: 5'], 'it tells its length and comes in chunks'],
    [['Transfer-Encoding: gzip, chunked'], 'it has a transfer encoding other than chunked'],
    [['Transfer-Encoding: identity'], 'it has a transfer encoding other than chunked'],
    [['Transfer-Encoding: xchunked'], 'it has a transfer encoding other than chunked'],
    [['Transfer-Encoding:'], 'it has a transfer encoding other than chunked'],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], 'it has a transfer encoding other than'],
  ])('is rejected when its end is ambiguous: %j', (lines, message) => {
    expect(() => head(...lines)).toThrow(message)
  })

  test('is rejected for a chunked HTTP/1.0 response', () => {
    expect(() => readHead('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked')).toThrow('which HTTP/1.0 does not')
  })

  test.each([
    'HTTP/1.1 204 No Content\r\nContent-Length: 5',
    'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked',
    'HTTP/1.1 100 Continue\r\nContent-Length: 5',
    'HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked',
  ])('is rejected when a status without a body announces one: %j', (text) => {
    expect(() => readHead(text)).toThrow('it announces a body')
  })

  test('is rejected when it switches the protocol', () => {
    expect(() => readHead('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket')).toThrow('the protocol')
  })

  test.each([
    ['no colon', 'X-Own'],
    ['no name', ': a'],
    ['an empty line', ''],
    ['a space before the colon', 'X-Own : a'],
    ['a space in front', ' X-Own: a'],
    ['a name that is no token', 'X(Own): a'],
    ['a name with a byte beyond ASCII', 'X-Öwn: a'],
    ['a name with NUL', 'X-\u0000Own: a'],
  ])('is rejected when a header has %s', (_what, line) => {
    expect(() => head(line)).toThrow('it has a header without a proper name')
  })

  test.each([' folded', '\tfolded'])('is rejected when a header line is folded: %j', (line) => {
    expect(() => head('X-Own: a', line)).toThrow('it has a header without a proper name')
  })

  test.each(['\u0000', '\n', '\r', '\u001b', '\u007f'])(
    'is rejected when a value contains %j',
    (character) => {
      expect(() => head(`X-Own: a${character}b`)).toThrow('it has control characters in a header')
      expect(() => head(`X-Own: ${character}`)).toThrow('it has control characters in a header')
    },
  )
})
