import { describe, expect, test } from 'vitest'
import { redactLongText, redactText } from './redactor.ts'

const secret = 'hunter2hunter2XYZ'

describe('redactText', () => {
  test.each([
    `postgres://tutti:${secret}@db.internal:5432/tutti`,
    `postgres://tutti:${secret}@h1,tutti:${secret}@h2/tutti`,
    `postgres://tutti:p@${secret}@db/tutti`,
    `postgres://tutti:pa/${secret}@db/tutti`,
    `redis://:${secret}@cache:6379`,
    `amqp+ssl://a:${secret}@queue`,
    `connect ECONNREFUSED (https://user:${secret}@example.com/path?x=1)`,
    `https://${secret}@github.com/owner/repo`,
    `Authorization: Bearer ${secret}`,
    `authorization: bearer   ${secret}`,
    `{"authorization":"Bearer ${secret}"}`,
    `Bearer ${secret}, Bearer ${secret}`,
    `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`,
    `Proxy-Authorization: Basic ${secret}`,
    `invalid key tk_${secret}`,
    `tk_${secret}`,
    `(tk_${secret})`,
    `Incorrect API key provided: sk-${secret}`,
    `whsec_${secret}`,
    `GET /oauth/callback?code=${secret}&state=abc`,
    `GET /stream?token=${secret}`,
    `GET /stream?a=1&access_token=${secret}#x`,
    `GET /x?api_key=${secret}&b=2`,
    `GET /x?key=${secret}`,
    `GET /x?sig=${secret}`,
    `GET /x?a=b&pass=${secret}`,
    `postgres://tutti:${secret.repeat(100)}@db/tutti`,
    `grant_type=refresh_token&refresh_token=${secret}&client_secret=${secret}`,
    `client_secret%3D${secret}`,
    `body was {"username":"a","password":"${secret}"}`,
    `body was {"password": "with spaces, ${secret} and \\" quotes ${secret}"}`,
    `body was {\\"password\\":\\"${secret}\\"}`,
    `body was {'client_secret': '${secret}'}`,
    `password: ${secret}`,
    `PGPASSWORD=${secret} psql`,
    `X-API-Key: ${secret}`,
    `x-csrf-token: ${secret}`,
    `Cookie: theme=dark; SESS=${secret}; a=b`,
    `Set-Cookie: SESS=${secret}; HttpOnly`,
    `SESS=${secret}`,
    `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.${secret}`,
    `redirect=%22eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.${secret}%22`,
    `first line\nsecond with token=${secret}\nthird`,
  ])('hides the secret in %s', (text) => {
    const shown = redactText(text)
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(Buffer.from(`admin:${secret}`).toString('base64'))
    expect(shown).toContain('[redacted]')
  })

  test.each([
    'worker started',
    'GET /api/v1/models?limit=50&page=2',
    'http://localhost:3000/@scope/package',
    'postgres://tutti@localhost/tutti',
    'listening on http://127.0.0.1:3000/ and http://[::1]:3000/',
    'tokens=1500 max_tokens: 200',
    'a basic authentication scheme',
    'the key was not found',
    'exit code 1',
    'Unexpected token < in JSON at position 0',
    'keyboard code monkey',
    'at file:///srv/tutti/src/kernel/work.ts:12:5',
  ])('leaves %s as it is', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test('keeps the text around a secret', () => {
    expect(redactText(`GET /x?token=${secret}&page=2 from 10.0.0.1`)).toBe(
      'GET /x?token=[redacted]&page=2 from 10.0.0.1',
    )
    expect(redactText(`postgres://tutti:${secret}@db:5432/app`)).toBe(
      'postgres://tutti:[redacted]@db:5432/app',
    )
  })

  test('redacting twice changes nothing more', () => {
    const once = redactText(
      `Bearer ${secret} tk_${secret} password=${secret} https://a:${secret}@b/?code=${secret}`,
    )
    expect(redactText(once)).toBe(once)
  })

  test('takes linear time on hostile texts', () => {
    const before = process.cpuUsage()
    for (const piece of [
      '://a:',
      'password',
      '\\"',
      '"token":"',
      'eyJ',
      'bearer ',
      'tk_',
      'cookie: ',
      '\\',
    ]) {
      redactText(piece.repeat(32_000 / piece.length))
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })
})

describe('redactLongText', () => {
  test.each([10, 100, 1000, 5000])(
    'never shows part of a secret that lies across the cut at %i',
    (longest) => {
      for (let shift = 0; shift < 60; shift += 1) {
        const before = 'x '.repeat(Math.max(0, Math.floor((longest - shift) / 2)))
        const text = `${before}postgres://user:${secret}@host/ ${'y'.repeat(3000)}`
        expect(redactLongText(text, longest)).not.toContain(secret.slice(0, 4))
      }
    },
  )

  test('keeps as much as it may of a text that is only a little longer', () => {
    expect(redactLongText('z '.repeat(510), 1000)).toBe(`${'z '.repeat(500)}… (cut from 1020 characters)`)
  })

  test('limits the length and reports the original one', () => {
    const shown = redactLongText('z'.repeat(100_000), 1000)
    expect(shown.length).toBeLessThan(1100)
    expect(shown).toContain('100000')
  })
})
