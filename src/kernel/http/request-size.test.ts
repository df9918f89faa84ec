import { describe, expect, test } from 'vitest'
import { growthOf, maxGrowth } from '#testing/kernel'
import { readForm, requireFewFields, requireSmallHead } from './request-size.ts'

describe('a form', () => {
  test.each([
    ['', {}],
    ['a=1&b=2&b=3&b=', { a: '1', b: ['2', '3', ''] }],
    ['a+b=c%20d&e', { 'a b': 'c d', e: '' }],
    ['a=%zz', { a: '%zz' }],
  ])('%j is read', (text, expected) => {
    expect({ ...readForm(text) }).toEqual(expected)
  })

  test('has no prototype that a field could change', () => {
    const form = readForm('__proto__=1&constructor=2')
    expect(Object.getPrototypeOf(form)).toBeNull()
    expect(form['constructor']).toBe('2')
  })

  test('may have a thousand fields', () => {
    expect(readForm('a=&'.repeat(999))['a']).toHaveLength(999)
    const refusal = {
      code: 'invalid_input',
      message: 'The body has more than 1000 fields; send fewer of them in one request.',
    }
    expect(() => readForm('a=&'.repeat(1000))).toThrow(expect.objectContaining(refusal) as Error)
  })
})

const head = (headers: number, url = '/') => ({
  rawHeaders: Array.from({ length: 2 * headers }, () => 'a'),
  url,
})

describe('the head of a request', () => {
  test('may have 200 headers', () => {
    expect(() => requireSmallHead(head(200))).not.toThrow()
    const refusal = {
      code: 'headers_too_large',
      message: 'The request has more than 200 headers; send fewer of them.',
    }
    expect(() => requireSmallHead(head(201))).toThrow(expect.objectContaining(refusal) as Error)
  })

  test('may have a thousand parameters', () => {
    expect(() => requireSmallHead(head(1, `/a&b?${'a&'.repeat(999)}`))).not.toThrow()
    const refusal = {
      code: 'invalid_input',
      message: 'The query has more than 1000 parameters; send fewer of them in one request.',
    }
    expect(() => requireSmallHead(head(1, `/?${'a&'.repeat(1000)}`))).toThrow(
      expect.objectContaining(refusal) as Error,
    )
  })
})

const form = (fields: number) => 'a=&'.repeat(fields)
const oneName = (length: number) => 'a'.repeat(length)

function readOrRefuse(text: string): void {
  try {
    readForm(text)
  } catch {
    // Refused, after the same scan.
  }
}

describe('takes linear time for', () => {
  const mega = 1024 * 1024
  test.each([
    ['one name', (size: number) => 'a=&'.repeat(size / 3)],
    ['many names', (size: number) => Array.from({ length: size / 6 }, (_, index) => `${index}=`).join('&')],
    ['escapes', (size: number) => `a=${'%41'.repeat(size / 3)}`],
    ['broken escapes', (size: number) => `a=${'%'.repeat(size)}`],
    ['separators', (size: number) => '&'.repeat(size)],
    ['signs of equality', (size: number) => '='.repeat(size)],
  ])('a form of %s', async (_name, make) => {
    expect(await growthOf(make, readOrRefuse, mega)).toBeLessThan(maxGrowth)
  })

  test('the longest form that is allowed', async () => {
    expect(await growthOf(form, readForm, 992)).toBeLessThan(maxGrowth)
  })

  test('a query', async () => {
    expect(await growthOf(oneName, (text) => requireFewFields(text, 'query'), mega)).toBeLessThan(maxGrowth)
  })
})
