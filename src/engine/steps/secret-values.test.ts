import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretValues, redactError, redactResult } from './secret-values.ts'
import { noUsage, StepFailure } from './step-failure.ts'

function valuesWith(...given: readonly (readonly [name: string, value: string])[]) {
  const used = createSecretValues()
  for (const [name, value] of given) used.add(name, value)
  return used
}

test('a value is replaced in texts, keys and numbers, at every depth', () => {
  const used = valuesWith(['token', 'abcdefgh12'], ['pin', '1234567890'])
  expect(
    used.redact({ 'x-abcdefgh12': [{ deep: 'Bearer abcdefgh12!' }], number: 12_345_678_901, other: 42 }),
  ).toEqual({
    'x-[secret token]': [{ deep: 'Bearer [secret token]!' }],
    number: '[secret pin]1',
    other: 42,
  })
})

test('without values, the same object is returned', () => {
  const value = { a: [1] }
  expect(createSecretValues().redact(value)).toBe(value)
})

test('a value inside a longer one leaves nothing of the longer one', () => {
  expect(valuesWith(['short', 'abcdefgh'], ['long', 'abcdefghijkl']).redactText('abcdefghijkl')).toBe(
    '[secret long]',
  )
})

test('values that overlap are replaced together', () => {
  const used = valuesWith(['a', 'abcdefgh'], ['b', 'efghijklm'])
  expect(used.redactText('1 abcdefghijklm 2 abcdefgh 3 efghijklmabcdefgh')).toBe(
    '1 [secret a] 2 [secret a] 3 [secret b][secret a]',
  )
})

test('a replacement pattern in a value is not expanded', () => {
  expect(valuesWith(['a', "$&$1$'$`x"]).redactText("(($&$1$'$`x))")).toBe('(([secret a]))')
})

test('errors keep their code and lose values and cause', () => {
  const used = valuesWith(['token', 'abcdefgh12'])
  const failure = new StepFailure({
    code: 'EXTERNAL_API_FAILED',
    message: 'abcdefgh12 failed',
    details: { body: 'abcdefgh12' },
    retryAfterMs: 5,
    usage: noUsage,
    cause: new Error('abcdefgh12'),
  })
  const shown = redactError(failure, used)
  expect(shown).toMatchObject({
    code: 'EXTERNAL_API_FAILED',
    message: '[secret token] failed',
    details: { body: '[secret token]' },
    retryAfterMs: 5,
    cause: undefined,
  })
  expect(redactError(new TypeError('bad header abcdefgh12'), used)).toMatchObject({
    message: 'bad header [secret token]',
  })
})

/** The ways in which a server may repeat a value. */
const echoes: readonly ((value: string) => unknown)[] = [
  (value) => value,
  (value) => ({ headers: { authorization: `Bearer ${value}` } }),
  (value) => ({ [value]: [value] }),
  (value) => JSON.stringify({ nested: JSON.stringify({ value }).slice(0, -1) }).slice(0, 4) + value,
  (value) => JSON.stringify({ value }),
  (value) => `https://a.example/?q=${encodeURIComponent(value)}&x=1`,
  (value) => new URLSearchParams({ value }).toString(),
  (value) => encodeURI(value),
  (value) => encodeURIComponent(value).toLowerCase().replaceAll(value.toLowerCase(), value),
  (value) => Buffer.from(value).toString('base64'),
  (value) => Buffer.from(`user:${value}`).toString('base64'),
  (value) => Buffer.from(`a:${value}:b`).toString('base64url'),
  (value) => Buffer.from(`ab${value}`).toString('base64'),
  (value) => Buffer.from(value).toString('hex'),
  (value) => value.replaceAll(/[\r\n]+/g, ' '),
]

const alphabet =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=!"#$%&\'()*,:;<>?@[\\]^`{|} äöü€🎻\n'

function randomValue(): string {
  const signs = Array.from(alphabet)
  const bytes = randomBytes(8 + ((randomBytes(1)[0] ?? 0) % 40))
  const value = [...bytes]
    .map((byte) => signs[byte % signs.length])
    .join('')
    .trim()
  return value.length < 8 ? randomValue() : value
}

/** The encodings in which a value can be found again. */
function traces(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64').replaceAll('=', '')
  return [value, encodeURIComponent(value), base64.slice(0, -2), Buffer.from(value).toString('hex')]
}

test('of random values in random echoes nothing survives', () => {
  for (let run = 0; run < 2000; run += 1) {
    const value = randomValue()
    const used = valuesWith(['a', value])
    const echo = echoes[run % echoes.length]?.(value)
    const { output } = redactResult(
      { output: echo, confidence: null, quality: null, usage: noUsage, details: {} },
      used,
    )
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    const found = traces(value).filter((trace) => trace.length >= 8 && text.includes(trace))
    expect({ value, echo, found }).toEqual({ value, echo, found: [] })
    if (run % echoes.length === 8) continue
    expect(text).toContain('[secret a]')
  }
})
