import { describe, expect, test } from 'vitest'
import { createLogger } from './logger.ts'

const secret = 's3cr3t-Value-0042'

function capture(format: 'json' | 'pretty' = 'json') {
  const lines: string[] = []
  const log = createLogger({
    level: 'debug',
    format,
    destination: { write: (line: string) => void lines.push(line) },
  })
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}')
  return { log, lines, last }
}

describe('the logger', () => {
  test('writes one JSON object per line with level, time and process', () => {
    const { log, lines, last } = capture()
    log.info({ node: 'a' }, 'node joined')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.endsWith('\n')).toBe(true)
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      pid: process.pid,
      node: 'a',
      msg: 'node joined',
    })
  })

  test('writes nothing below its level', () => {
    const { log, lines } = capture()
    log.trace('not this')
    expect(lines).toEqual([])
  })

  test('redacts secrets in fields, bindings, messages and arguments', () => {
    const { log, lines } = capture()
    log.info({ password: secret, deep: { list: [{ apiKey: secret }] } }, `Bearer ${secret}`)
    log.info('%s and %o and %j', `tk_${secret}`, { token: secret }, { cookie: secret })
    log.info({ a: 1 }, 'and %o', { token: secret })
    log.info({ msg: `token=${secret}` })
    log.error(new Error(`postgres://a:${secret}@b/`))
    log.error({ err: new Error('x', { cause: new Error(`Bearer ${secret}`) }) })
    log.error({ error: new Error(`Bearer ${secret}`) })
    log.child({ refreshToken: secret, nested: { secret } }).info('child')
    log
      .child({ a: 1 })
      .child({ 'X-API-Key': secret }, { msgPrefix: `tk_${secret} ` })
      .info('grandchild')
    const changed = log.child({})
    changed.setBindings({ access_token: secret })
    changed.info('bound later')
    log.info(new Map([['password', secret]]))
    log.info([{ password: secret }, `Bearer ${secret}`])
    expect(lines.join('')).not.toContain(secret)
    expect(lines.length).toBe(12)
    for (const line of lines) JSON.parse(line)
  })

  test('redacts the result of a serializer of a child', () => {
    const { log, last } = capture()
    const child = log.child(
      {},
      { serializers: { req: (req: { url: string }) => ({ url: req.url, cookie: secret }) } },
    )
    child.info({ req: { url: `/x?token=${secret}` } }, 'request')
    expect(last().req).toEqual({ url: '/x?token=[redacted]', cookie: '[redacted]' })
  })

  test('logs an error with its causes, and its message when none is given', () => {
    const { log, last } = capture()
    log.error({ err: new TypeError('outer', { cause: new Error('inner') }) })
    expect(last()).toMatchObject({
      msg: 'outer',
      err: { type: 'TypeError', message: 'outer', cause: { type: 'Error', message: 'inner' } },
    })
  })

  test('survives circular objects as fields, bindings and arguments', () => {
    const { log, last } = capture()
    const ring: Record<string, unknown> = {}
    ring.self = ring
    log.child({ ring }).info({ ring }, 'ring %o', ring)
    expect(last()).toMatchObject({ ring: { self: '[circular]' }, msg: 'ring {"self":"[circular]"}' })
  })

  test('does not throw when a logged object does', () => {
    const { log, last } = capture()
    log.info({
      get broken(): never {
        throw new Error('no value')
      },
    })
    expect(last()).toMatchObject({
      level: 'info',
      msg: 'could not write a log line',
      err: { message: 'no value' },
    })
  })

  test('does not change the logged objects', () => {
    const { log } = capture()
    const given = { user: { password: secret } }
    log.info(given, 'x')
    log.info('%o', given)
    expect(given).toEqual({ user: { password: secret } })
  })

  test('pretty lines are short, readable and free of secrets', () => {
    const { log, lines } = capture('pretty')
    log.info({ port: 3000, token: secret }, 'listening')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\[[\d:.]+\] INFO: listening \{"port":3000,"token":"\[redacted\]"\}\n$/)
  })

  test('auto is pretty on a terminal and JSON elsewhere', () => {
    for (const isTTY of [true, false]) {
      const lines: string[] = []
      const destination = { isTTY, write: (line: string) => void lines.push(line) }
      createLogger({ level: 'info', format: 'auto', destination }).info('hello')
      expect(lines[0]?.startsWith('{')).toBe(!isTTY)
    }
  })
})
