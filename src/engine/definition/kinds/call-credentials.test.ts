import { describe, expect, test } from 'vitest'
import { type FoundCredential, mapCallCredentials } from './call-credentials.ts'
import { externalApi } from './external-api.ts'

const url = 'https://api.example.com/login'

/** The call with marks, and what was found. */
function hide(body: unknown) {
  const found: FoundCredential[] = []
  const { body: shown } = mapCallCredentials({ url, body }, (credential) => {
    found.push(credential)
    return '[redacted]'
  })
  return { shown, found }
}

describe('a credential in the body of a call', () => {
  test.each([
    [{ user: 'ada', password: 'hunter2' }, ['password'], { user: 'ada', password: '[redacted]' }],
    [{ client_secret: 'a-1' }, ['client_secret'], { client_secret: '[redacted]' }],
    [{ token: 'a-1', max_token: 5 }, ['token'], { token: '[redacted]', max_token: 5 }],
    [{ pin: 1234, password: 77 }, ['pin', 'password'], { pin: '[redacted]', password: '[redacted]' }],
    [{ login: { apiKey: 'a-1' } }, ['login.apiKey'], { login: { apiKey: '[redacted]' } }],
    [[{ token: 'пароль' }], ['[0].token'], [{ token: '[redacted]' }]],
    [
      { tokens: ['a'], passwords: ['a', 'b'] },
      ['passwords[0]', 'passwords[1]'],
      { tokens: ['a'], passwords: ['[redacted]', '[redacted]'] },
    ],
    [{ key: 'md-8f14e45fceea167a' }, ['key'], { key: '[redacted]' }],
    [
      '{"user": "ada", "password": "a \\"b\\" c", "n": {{n}}}',
      ['password'],
      '{"user": "ada", "password": "[redacted]", "n": {{n}}}',
    ],
    ['[{"token" : "a-1"}]', ['token'], '[{"token" : "[redacted]"}]'],
    [
      'grant_type=client_credentials&client_id=x&client_secret=s%26t',
      ['client_secret'],
      'grant_type=client_credentials&client_id=x&client_secret=[redacted]',
    ],
    ['password=a b&x=1', ['password'], 'password=[redacted]&x=1'],
  ])('is found in %j', (body, names, shown) => {
    const hidden = hide(body)
    expect(hidden.found.map(({ name }) => name)).toEqual(names)
    expect(hidden.shown).toEqual(shown)
    expect(hidden.found[0]).toMatchObject({ place: 'field', origin: 'https://api.example.com' })
  })

  test.each([
    [{ password: '{{secrets.db}}', token: 'Bearer {{secrets.token}}', client_secret: '' }],
    [{ project: { key: 'PROJ' }, max_tokens: 100, tokenizer: 'x', code: 'x', passed: true, secret: null }],
    ['client_id=x&client_secret={{secrets.crm}}'],
    ['{"password": "{{secrets.db}}", "text": "the password"}'],
    ['A text that says: my password is hard to guess.'],
    ['{{steps.build.output}}'],
    [7],
    [null],
  ])('is not found in %j', (body) => {
    expect(hide(body)).toEqual({ shown: body, found: [] })
  })

  test('is not in the trace, where secrets are marks', () => {
    const api = {
      url,
      body: { password: 'hunter2', token: '{{memory.token}}', client_secret: '{{secrets.crm}}', user: 'ada' },
    }
    const shown = externalApi.describeInput(
      { id: 'login', type: 'external_api', api },
      {
        context: {},
        steps: {},
        memory: { token: 'a-1' },
      },
    )
    expect(shown['body']).toEqual({
      password: '[redacted]',
      token: '[redacted]',
      client_secret: '[secret crm]',
      user: 'ada',
    })
  })

  test.each([['"a":"\\'], ['"password":"'], ['"\\"'], ['password='], ['&token'], ['{"token":']])(
    'is searched for in linear time in %j, many times',
    (piece) => {
      const measure = (length: number) => {
        const body = `{${piece.repeat(length / piece.length)}`
        const before = process.cpuUsage()
        hide(body)
        hide(body.slice(1))
        return process.cpuUsage(before).user
      }
      measure(20_000)
      expect(measure(800_000)).toBeLessThan(1_000_000)
    },
  )
})
