import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Failure } from '#kernel/errors'
import { createRedactor, redactionBounds } from './redactor.ts'

const secret = 's3cr3t-Value-0042'
const redactor = createRedactor()
const redactValue = (value: unknown): unknown => redactor.redactValue(value)
const redactFields = (record: Record<string, unknown>) => redactor.redactFields(record)
const show = (value: unknown): string => JSON.stringify(redactValue(value)) ?? ''

function run(): void {}

const secretNames = [
  'password',
  'Password',
  'newPassword',
  'password_confirmation',
  'passwordHash',
  'secret',
  'client_secret',
  'clientSecret',
  'token',
  'refreshToken',
  'refresh_token',
  'access_token',
  'id_token',
  'X-CSRF-Token',
  'x-api-key',
  'apiKey',
  'API_KEY',
  'privateKey',
  'key',
  'code',
  'code_verifier',
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'cookies',
  'credentials',
  'SESS',
  'sessionId',
  'jwt',
  'pwd',
]

const harmlessNames = [
  'tokens',
  'max_tokens',
  'tokenId',
  'keyboard',
  'codec',
  'publicKey',
  'apiKeyId',
  'passed',
  'author',
]

class Account {
  name = 'ada'
  password = secret
  #hidden = secret
  peek(): number {
    return this.#hidden.length
  }
}

/** A small repeatable source of chance, so that a failing shape can be found again by its number. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2654435761
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const shapes: readonly ((inner: unknown) => unknown)[] = [
  (inner) => ({ a: 1, inner, z: 'text' }),
  (inner) => [1, inner, 'x'],
  (inner) => new Map([['inner', inner]]),
  (inner) => new Set([inner, 2]),
  (inner) => Object.assign(new Error('failed'), { inner }),
  (inner) => new Error('failed', { cause: inner }),
  (inner) => new AggregateError([inner], 'several'),
  (inner) => Object.assign(Object.create(null), { inner }),
  (inner) => Object.assign(new Account(), { inner }),
  (inner) => ({ toJSON: () => ({ inner }) }),
]

/** Wraps a value into a random nest of objects, arrays, maps, errors and instances. */
function nest(value: unknown, pick: (below: number) => number, depth: number): unknown {
  if (depth === 0) return value
  const inner = nest(value, pick, depth - 1)
  return shapes[pick(shapes.length)]?.(inner)
}

describe('a redacted value', () => {
  test.each(secretNames)('redacts a field named %s', (name) => {
    expect(show({ [name]: secret })).toBe(`{"${name}":"[redacted]"}`)
    expect(show({ a: [{ b: { [name]: [secret, { c: secret }] } }] })).not.toContain(secret)
    expect(show(new Map([[name, secret]]))).not.toContain(secret)
    expect(show([name, secret])).not.toContain(secret)
    expect(show({ name, value: secret })).not.toContain(secret)
  })

  test.each(harmlessNames)('shows a field named %s', (name) => {
    expect(show({ [name]: 'visible' })).toContain('visible')
  })

  test('shows status codes and redacts random codes', () => {
    for (const code of ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'invalid_token', '23505', '57P01', 404]) {
      expect(redactValue({ code })).toEqual({ code })
    }
    for (const code of ['SplxlOBeZQQYbYS6WxSbIA', 'JBSWY3DPEHPK3PXP', '4/0AX4XfWh', '123456']) {
      expect(redactValue({ code })).toEqual({ code: '[redacted]' })
    }
  })

  test('never shows a secret, in any structure nested in any other and in 300 random structures', () => {
    const carriers = [
      { refreshToken: secret },
      { headers: { Authorization: `Bearer ${secret}` } },
      { rawHeaders: ['Host', 'x', 'Cookie', `SESS=${secret}`] },
      `postgres://tutti:${secret}@db/tutti`,
      new Error(`no answer from https://u:${secret}@host/`),
      new URL(`https://u:${secret}@host/?token=${secret}`),
      new Headers({ 'x-api-key': secret }),
      new URLSearchParams({ code: secret }),
      `tk_${secret}`,
      new Account(),
      { [`tk_${secret}`]: 1 },
    ]
    for (const [index, outer] of shapes.entries()) {
      for (const carrier of carriers) expect(show(outer(carrier)), outer.toString()).not.toContain(secret)
      for (const [at, inner] of shapes.entries()) {
        const carrier = carriers[(index + at) % carriers.length]
        expect(show(outer(inner(carrier))), `${outer.toString()} of ${inner.toString()}`).not.toContain(
          secret,
        )
      }
    }
    for (let seed = 1; seed <= 300; seed += 1) {
      const pick = chance(seed)
      const carrier = carriers[pick(carriers.length)]
      expect(show(nest(carrier, pick, 3 + pick(7))), `seed ${seed}`).not.toContain(secret)
    }
  })

  test('writes a retryable failure without a stack, and its cause as text', () => {
    const cause = new Error(`connect ECONNREFUSED postgres://u:${secret}@db`)
    const failure = new Failure(
      'away',
      { status: 503, message: 'The database is away.', retryable: true },
      { cause },
    )
    const shown = redactValue(failure)
    expect(shown).toMatchObject({
      message: 'The database is away.',
      code: 'away',
      cause: expect.stringContaining('ECONNREFUSED'),
    })
    expect(shown).not.toHaveProperty('stack')
    expect(show(failure)).not.toContain(secret)
  })

  test('redacts the message, stack, fields and causes of an error', () => {
    const cause = Object.assign(new TypeError(`bad key tk_${secret}`), { password: secret })
    const error = Object.assign(new Error(`failed: Bearer ${secret}`, { cause }), { code: 'ECONNRESET' })
    expect(show(error)).not.toContain(secret)
    expect(redactValue(error)).toMatchObject({
      type: 'Error',
      message: 'failed: Bearer [redacted]',
      code: 'ECONNRESET',
      stack: expect.stringContaining('redactor.test.ts'),
      cause: { type: 'TypeError', message: 'bad key tk_[redacted]', password: '[redacted]' },
    })
  })

  test('writes a failure with its code, status and cause', () => {
    const failure = new Failure(
      'conflict',
      { status: 409, message: 'Taken.' },
      { cause: new Error('unique') },
    )
    expect(redactValue(failure)).toMatchObject({
      type: 'Failure',
      code: 'conflict',
      status: 409,
      cause: { message: 'unique' },
    })
  })
})

describe('a redacted value is bounded', () => {
  test('cycles end', () => {
    const ring: Record<string, unknown> = { name: 'ring' }
    ring.self = ring
    ring.list = [ring, new Map([['ring', ring]]), new Set([ring])]
    expect(redactValue(ring)).toEqual({
      name: 'ring',
      self: '[circular]',
      list: ['[circular]', { ring: '[circular]' }, ['[circular]']],
    })
  })

  test('cyclic and endless causes end', () => {
    const first = new Error('first')
    first.cause = new Error('second', { cause: first })
    expect(redactValue(first)).toMatchObject({ cause: { message: 'second', cause: '[circular]' } })

    let chain = new Error('root')
    for (let index = 0; index < 1000; index += 1) chain = new Error(`level ${index}`, { cause: chain })
    expect(show(chain).length).toBeLessThan(redactionBounds.charactersPerField * 1.5)
  })

  test('the same object may appear twice side by side', () => {
    const shared = { a: 1 }
    expect(redactValue({ left: shared, right: shared })).toEqual({ left: { a: 1 }, right: { a: 1 } })
  })

  test.each([
    [
      'a wide object',
      Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`field${index}`, index])),
    ],
    ['a long array', Array.from({ length: 1_000_000 }, (_, index) => index)],
    ['a long text', 'x'.repeat(20_000_000)],
    ['many long texts', Array.from({ length: 1000 }, () => 'y'.repeat(100_000))],
    ['a large map', new Map(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))],
    [
      'a bushy tree',
      Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => ({ a: [1, 2, 3], b: 'x' }))),
    ],
    ['large bytes', Buffer.alloc(50_000_000)],
  ])('%s becomes a short line quickly', (_name, value) => {
    const started = performance.now()
    expect(show(value).length).toBeLessThan(100_000)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('a deep object ends with its type', () => {
    let deep: unknown = { password: secret }
    for (let index = 0; index < 10_000; index += 1) deep = { deep }
    expect(show(deep)).toContain('[Object]')
  })

  test('an unreadable value is marked and does not throw', () => {
    const trap = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no')
        },
      },
    )
    const getter = {
      get broken(): never {
        throw new Error('no')
      },
    }
    const json = {
      toJSON() {
        throw new Error('no')
      },
    }
    expect(redactValue({ trap, getter, json })).toEqual({
      trap: '[unreadable]',
      getter: '[unreadable]',
      json: '[unreadable]',
    })
  })

  test('values other than data are replaced by their type', () => {
    expect(
      redactValue({
        bytes: Buffer.from('abc'),
        date: new Date(0),
        bad: new Date(Number.NaN),
        big: 12n,
        symbol: Symbol('s'),
        pattern: /x/g,
        socket: new Socket(),
        emitter: new EventEmitter(),
        promise: Promise.resolve(),
        call: run,
      }),
    ).toEqual({
      bytes: '[Buffer of 3 bytes]',
      date: '1970-01-01T00:00:00.000Z',
      bad: '[invalid date]',
      big: '12',
      symbol: 'Symbol(s)',
      pattern: '/x/g',
      socket: '[Socket]',
      emitter: '[EventEmitter]',
      promise: '[Promise]',
      call: '[function run]',
    })
  })

  test('a field named __proto__ is data', () => {
    const shown = redactValue(JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(JSON.stringify(shown)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('redactFields', () => {
  test('returns the same record when nothing is redacted', () => {
    const record = { a: 1, b: { password: secret } }
    expect(redactFields(record)).toBe(record)
  })

  test('redacts a copy and keeps the original', () => {
    const record = { token: secret, a: 1 }
    expect(redactFields(record)).toEqual({ token: '[redacted]', a: 1 })
    expect(record.token).toBe(secret)
  })

  test('omits fields beyond the limit', () => {
    const record = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, index]))
    expect(Object.keys(redactFields(record))).toHaveLength(redactionBounds.fields + 1)
  })
})
