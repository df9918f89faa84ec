import { describe, expect, test } from 'vitest'
import { growthOf, maxGrowth } from '#testing/kernel'
import {
  fieldsOf,
  fillTemplates,
  filterReads,
  findTemplateProblems,
  readableHeaders,
  readBody,
} from './mapping.ts'

const json = 'application/json; charset=utf-8'

describe('the body of a request', () => {
  test.each([
    ['{"a": [1]}', json, { a: [1] }],
    ['{"a": 1}', 'application/vnd.github+json', { a: 1 }],
    ['a=1&b=2&b=3', 'application/x-www-form-urlencoded', { a: '1', b: ['2', '3'] }],
    ['plain', 'text/plain', 'plain'],
    ['plain', undefined, 'plain'],
    ['', json, null],
  ])('%j as %s', (body, type, expected) => {
    expect(readBody(Buffer.from(body), type)).toEqual(expected)
  })

  test.each([
    ['{', 'malformed_body'],
    ['{"a": {"__proto__": {"x": 1}}}', 'invalid_input'],
    [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'invalid_input'],
  ])('is refused: %.40s', (body, code) => {
    expect(() => readBody(Buffer.from(body), json)).toThrow(expect.objectContaining({ code }) as Error)
  })

  test('is refused when it is not UTF-8', () => {
    expect(() => readBody(Buffer.from([0xff, 0xfe]), json)).toThrow(
      expect.objectContaining({ code: 'malformed_body' }) as Error,
    )
  })

  test('may have brackets in its texts', () => {
    const body = JSON.stringify({ text: `${'['.repeat(500)}\\" {{{` })
    expect(readBody(Buffer.from(body), json)).toEqual(JSON.parse(body))
  })
})

test('fields of a query cannot change a prototype', () => {
  expect(fieldsOf('__proto__=1&a=2', 'query')).toEqual({ a: '2' })
})

const repeated = (count: number) => 'a=1&'.repeat(count)

test('fields with one name are a list, up to a thousand, in linear time', async () => {
  expect(fieldsOf(repeated(999), 'query')['a']).toHaveLength(999)
  expect(() => fieldsOf(repeated(1000), 'query')).toThrow('The query has more than 1000 parameters')
  expect(await growthOf(repeated, (text) => fieldsOf(text, 'query'), 992)).toBeLessThan(maxGrowth)
})

test('templates keep the type of a lone placeholder', () => {
  const source = { body: { order: { id: 7, items: [1, 2] } }, headers: { 'x-topic': 'paid' } }
  const template = {
    id: '{{body.order.id}}',
    text: 'Order {{body.order.id}}: {{headers.x-topic}}',
    fixed: true,
  }
  expect(fillTemplates(template, source)).toEqual({ id: 7, text: 'Order 7: paid', fixed: true })
})

test.each([
  [undefined, false],
  [{ field: 'event.result.score', operator: '>' as const, value: 1 }, true],
  [{ field: 'event.flow_id', operator: '==' as const, value: 'a' }, false],
  [{ expression: 'event.result.score > 1' }, true],
  [{ expression: 'event.flow_id == "a"' }, false],
  [
    { any: [{ field: 'event.flow_id', operator: 'exists' }, { not: { expression: 'size(event) > 1' } }] },
    true,
  ],
])('a filter reads the result of an execution: %j', (filter, expected) => {
  expect(filterReads(filter, ['event', 'result'])).toBe(expected)
})

test('only headers about the content can be read', () => {
  const headers = {
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-forwarded-for': '10.0.0.1',
    'x-api-key': 'k',
    'x-hub-signature-256': 'sha256=…',
    'x-github-event': 'push',
    'content-type': 'application/json',
  }
  expect(readableHeaders(headers, ['x-hub-signature-256'])).toEqual({
    'x-github-event': 'push',
    'content-type': 'application/json',
  })
})

test('templates that read something else are named', () => {
  const given = {
    input: { a: '{{body.x}} {{steps.y}}', b: ['{{a b}{}}'] },
    filter: { field: 'event.x', operator: 'exists' },
  }
  expect(findTemplateProblems('webhook', given as never)).toEqual([
    { path: 'input', message: expect.stringContaining('steps.y') as string, code: 'placeholder' },
    { path: 'filter.field', message: expect.stringContaining('event.x') as string, code: 'placeholder' },
  ])
  expect(findTemplateProblems('event', { input: { a: '{{event.flow_id}}' } })).toEqual([])
  const filter = { all: [{ expression: 'body.amount > 1 && context.x' }, { expression: 'body.' }] }
  expect(findTemplateProblems('webhook', { input: {}, filter })).toMatchObject([
    { path: 'filter.all[1].expression', code: 'expression' },
  ])
  expect(
    findTemplateProblems('webhook', { input: {}, filter: { all: filter.all.slice(0, 1) } }),
  ).toMatchObject([{ path: 'filter.all[0].expression', code: 'placeholder' }])
})
