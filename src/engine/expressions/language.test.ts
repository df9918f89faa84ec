import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import { evaluateInline } from './evaluate.ts'
import { createExpressionEvaluator } from './evaluator.ts'
import type { Scope } from './paths.ts'

const evaluator = createExpressionEvaluator({ expressionMs: 20_000, transformationMs: 20_000 })
afterAll(() => evaluator[Symbol.asyncDispose]())
const caller = { accountId: 'tester' }

const scope: Scope = {
  memory: {
    price: 3.5,
    name: 'Ada',
    nothing: null,
    orders: [
      { id: 3, customer: 'b', total: 20 },
      { id: 1, customer: 'a', total: 5 },
      { id: 2, customer: 'b', total: 7.5 },
    ],
    customers: [
      { id: 'a', label: 'Alpha' },
      { id: 'b', label: 'Beta' },
    ],
    csv: 'sku;amount\nA-1;2\n"B;2";10\n',
    page: '<main><p class="x"><a href="/u">Hi <b>you</b></a></p><script>bad()</script></main>',
    xml: '<list kind="short"><entry>a &amp; b</entry><entry>&#99;</entry></list>',
  },
  context: { content: 'a text', metadata: { language: 'de' } },
  steps: { fetch: { status: 200 }, 'with-hyphen': { ok: true } },
  variables: () => ({ now: new Date('2026-11-17T10:20:30Z'), execution: { id: 'e1' } }),
}

describe('an expression', () => {
  test.each<[string, unknown]>([
    ['price * 2', 7],
    ['price + 1', 4.5],
    ['10 % 4.0', 2],
    ['price > 3 && name.startsWith("A")', true],
    ['name in ["Ada", "Grace"]', true],
    ['price > 5 ? "high" : "low"', 'low'],
    ['content', 'a text'],
    ['context.metadata.language', 'de'],
    ['metadata.language == "de"', true],
    ['steps.fetch.status == 200', true],
    ['steps["with-hyphen"].ok', true],
    ['memory.name', 'Ada'],
    ['nothing == null', true],
    ['has(metadata.tone) ? metadata.tone : "plain"', 'plain'],
    ['metadata.?tone.orValue("plain")', 'plain'],
    ['execution.id', 'e1'],
    ['now', '2026-11-17T10:20:30.000Z'],
    ['{"a": [1, 2.5, "x"], "b": {"c": null}}', { a: [1, 2.5, 'x'], b: { c: null } }],
    ['9007199254740993', '9007199254740993'],
    ['b"abc"', 'YWJj'],
    ['duration("90m")', 5400],
    ['orders.filter(o, o.total > 6).map(o, o.id)', [3, 2]],
    ['orders.sort_by(o, o.id).map(o, o.id)', [1, 2, 3]],
    ['orders.sort_by(o, o.total).reverse().first().id', 3],
    ['orders.group_by(o, o.customer).b.map(o, o.id)', [3, 2]],
    ['orders.index_by(o, o.id)["1"].customer', 'a'],
    ['orders.count_by(o, o.customer)', { b: 2, a: 1 }],
    ['orders.sum(o, o.total)', 32.5],
    ['orders.map(o, o.total).sum()', 32.5],
    ['orders.avg(o, o.total) > 10', true],
    ['[].avg()', null],
    ['orders.min(o, o.total)', 5],
    ['orders.max(o, o.total)', 20],
    ['[3, 1, 2].sort()', [1, 2, 3]],
    ['[1, 1.0, 2, 1].distinct()', [1, 2]],
    ['[{"a": 1, "b": 2}, {"b": 2, "a": 1}].distinct().size()', 1],
    ['[[1], [2, 3]].flatten()', [1, 2, 3]],
    ['orders.last().id', 2],
    ['[1, 2, 3, 4].slice(1, -1)', [2, 3]],
    [
      '[1, 2].zip(["a", "b", "c"])',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    ['orders.join_on(customers, "customer", "id").map(o, o.label)', ['Beta', 'Alpha', 'Beta']],
    ['[1, 2, 3].chunks(2)', [[1, 2], [3]]],
    ['"a-b-c".split("-").join("+")', 'a+b+c'],
    ['"a-b-c".replace("-", "$&")', 'a$&b$&c'],
    ['" x ".trim() + name.lower() + name.upper()', 'xadaADA'],
    ['"7".pad(3, "0")', '007'],
    ['"report.pdf".like("*.pdf")', true],
    ['"report".matches("^re.*t$")', true],
    ['"hello".truncate(2)', 'he…'],
    ['round(2.567, 2) + round(2.5) + floor(2.9) + ceil(2.1)', 10.57],
    ['format_number(1234567.891, 2)', '1,234,567.89'],
    ['format_number(1234.5, 2, "de")', '1.234,50'],
    ['date("2026-11-17 08:00", "Europe/Berlin")', '2026-11-17T07:00:00.000Z'],
    ['date("2026-03-29 03:30", "Europe/Berlin")', '2026-03-29T01:30:00.000Z'],
    ['date("2026-11-17T08:00:00+0200")', '2026-11-17T06:00:00.000Z'],
    ['format_date(now, "EEEE, dd MMMM yyyy, HH:mm:ss")', 'Tuesday, 17 November 2026, 10:20:30'],
    ['format_date(now, "yyyy-MM-dd HH:mm", "Asia/Tokyo")', '2026-11-17 19:20'],
    ['add_days(date("2026-02-27"), 2)', '2026-03-01T00:00:00.000Z'],
    ['start_of_day(now, "America/New_York")', '2026-11-17T05:00:00.000Z'],
    ['now - date("2026-11-17") > duration("10h")', true],
    ['parse_json("{\\"a\\": [1]}").a[0]', 1],
    ['to_json({"a": 1, "b": [1.5]})', '{"a":1,"b":[1.5]}'],
    ['parse_csv(csv, ";").map(row, row.sku)', ['A-1', 'B;2']],
    ['to_csv([{"a": 1, "b": "x,y"}, {"a": 2}])', 'a,b\r\n1,"x,y"\r\n2,\r\n'],
    ['parse_xml(xml)', { list: { '@kind': 'short', entry: ['a & b', 'c'] } }],
    ['parse_html(page, "p.x > a")', [{ name: 'a', text: 'Hi you', attributes: { href: '/u' } }]],
    ['strip_html(page)', 'Hi you'],
    ['cel.bind(t, orders.sum(o, o.total), t * t)', 1056.25],
  ])('%s', async (source, value) => {
    expect(await evaluator.evaluate(source, scope, caller)).toEqual({ kind: 'value', value })
  })

  test.each<[string, 'missing' | 'failed', string]>([
    ['unknown + 1', 'missing', '"unknown" does not exist'],
    ['metadata.tone', 'missing', '"tone" does not exist'],
    ['orders[7].id', 'missing', 'the list has no such entry'],
    ['name + 1', 'failed', 'cannot be used with these types: text + whole number'],
    ['orders.sum()', 'failed', 'sum needs numbers, got an object'],
    ['1.0 / 0.0', 'failed', 'is not a number that JSON can hold'],
    ['date("2026-02-31")', 'failed', 'is not a date'],
    ['date("2026-02-01", "Nowhere")', 'failed', 'is not a time zone'],
    ['int("twelve")', 'failed', 'int(): the value is not a whole number'],
    ['double("x")', 'failed', 'double(): the value is not a number'],
    ['bool("x")', 'failed', 'bool(): the value is neither true nor false'],
    ['"abc".substring(9)', 'failed', 'string.substring('],
    ['parse_json("{")', 'failed', 'the text is not JSON'],
    ['parse_html(page, "p[")', 'failed', 'is not a CSS selector'],
    ['[1, "a"].sort()', 'failed', 'cannot order'],
  ])('%s is %s', async (source, kind, message) => {
    const evaluated = await evaluator.evaluate(source, scope, caller)
    expect(evaluated).toMatchObject({ kind, problem: { message: expect.stringContaining(message) } })
  })

  test.each<[string, string, number | null]>([
    ['1 +', 'Unexpected token', 3],
    ['price * frobnicate(2)', 'there is no function frobnicate(whole number)', 8],
    ['"a" + 1', 'cannot be used with these types: text + whole number', 0],
    ['type == "invoice"', 'for a value of this name, write context.type or memory.type', 0],
    ['map.first', '"map" is a type of the language', null],
    ['has(list.first)', '"list" is a type of the language', null],
    ['', 'is empty', null],
    ['x'.repeat(4001), 'is longer than 4000 characters', null],
    [`${'['.repeat(200)}${']'.repeat(200)}`, 'is too long or nested too deeply', null],
    [Array(600).fill('1').join('+'), 'is too long or nested too deeply', null],
  ])('%s is not valid', (source, message, position) => {
    const compiled = compile(source)
    expect(compiled).toMatchObject({
      kind: 'invalid',
      problem: { message: expect.stringContaining(message) },
    })
    if (position !== null) expect(compiled).toMatchObject({ problem: { position } })
  })

  test.each(['type(price) == double', 'orders.map(type, type.id)', 'context.type'])(
    '%s may name a type',
    (source) => expect(compile(source)).toMatchObject({ kind: 'compiled' }),
  )

  test('that is simple runs at once, and in a thread with large values', () => {
    expect(evaluateInline('price > 3', scope)).toEqual({ kind: 'value', value: true })
    expect(evaluateInline('orders.sum(o, o.total)', scope)).toBeUndefined()
    const large: Scope = {
      ...scope,
      memory: { text: 'x'.repeat(100_000), part: { small: 1, text: 'x'.repeat(100_000) } },
    }
    expect(evaluateInline('text == "a"', large)).toBeUndefined()
    // Only the fields that it reads count.
    expect(evaluateInline('part.small == 1', large)).toEqual({ kind: 'value', value: true })
  })

  test('names the paths it reads', () => {
    const compiled = compile(
      'steps.a.b[0].c + orders.map(o, o.id + tax).size() + (has(x.y) ? x.y : 0) + memory["k-1"]',
    )
    const paths = compiled.kind === 'compiled' ? compiled.expression.paths : []
    expect(paths.map(({ segments, mayBeMissing }) => [segments.join('.'), mayBeMissing])).toEqual([
      ['steps.a.b', false],
      ['orders', false],
      ['tax', false],
      ['x.y', true],
      ['x.y', false],
      ['memory.k-1', false],
    ])
  })

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'a.constructor',
    'a.__proto__',
    'a["__proto__"]',
    'a.b.constructor.constructor',
  ])('%s reaches nothing outside of the data', async (source) => {
    const evaluated = await evaluator.evaluate(source, { ...scope, memory: { a: { b: {} } } }, caller)
    expect(evaluated.kind).not.toBe('value')
  })
})

const entries = fc.array(
  fc.record({ k: fc.constantFrom('x', 'y', 'z'), n: fc.integer({ min: -100, max: 100 }) }),
  {
    maxLength: 30,
  },
)

const transform = async (task: Parameters<typeof evaluator.transform>[0]) => {
  const transformed = await evaluator.transform(task, { ...scope, memory: { least: 10 } }, caller)
  return transformed.kind === 'value' ? transformed.value : transformed
}

describe('transformations of lists equal plain JavaScript', () => {
  test('filter, map and sort', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (list) => {
        expect(await transform({ operation: 'filter', list, where: 'item.n > least && index > 0' })).toEqual(
          list.filter(({ n }, index) => n > 10 && index > 0),
        )
        expect(
          await transform({ operation: 'map', list, expression: '{"twice": item.n * 2, "at": index}' }),
        ).toEqual(list.map(({ n }, at) => ({ twice: n * 2, at })))
        expect(await transform({ operation: 'sort', list, by: 'item.n', order: 'asc' })).toEqual(
          list.toSorted((left, right) => left.n - right.n),
        )
      }),
      { numRuns: 30 },
    )
  })

  test('group, aggregate and join', async () => {
    await fc.assert(
      fc.asyncProperty(entries, entries, async (list, other) => {
        const groups = [...Map.groupBy(list, ({ k }) => k)]
        const sum = (items: typeof list) => items.reduce((total, { n }) => total + n, 0)
        expect(await transform({ operation: 'group', list, by: 'item.k' })).toEqual(
          groups.map(([key, items]) => ({ key, items })),
        )
        const aggregates = { total: 'items.sum(i, i.n)', size: 'items.size()' }
        expect(await transform({ operation: 'group', list, by: 'item.k', aggregates })).toEqual(
          groups.map(([key, items]) => ({ key, total: sum(items), size: items.length })),
        )
        expect(await transform({ operation: 'aggregate', list, aggregates })).toEqual({
          total: sum(list),
          size: list.length,
        })
        const right = other.map(({ k, n }) => ({ id: k, m: n }))
        const join = { operation: 'join', left: list, right, leftKey: 'item.k', rightKey: 'item.id' } as const
        const inner = list.flatMap((entry) =>
          right.filter(({ id }) => id === entry.k).map((match) => ({ ...entry, ...match })),
        )
        expect(await transform({ ...join, kind: 'inner' })).toEqual(inner)
        expect(await transform({ ...join, kind: 'left' })).toEqual(
          list.flatMap((entry): unknown[] => {
            const matches = right.filter(({ id }) => id === entry.k)
            return matches.length === 0 ? [entry] : matches.map((match) => ({ ...entry, ...match }))
          }),
        )
      }),
      { numRuns: 30 },
    )
  })

  test('a missing value is null, and counted', async () => {
    const list = [{ n: 1 }, {}, { n: 3 }]
    expect(
      await evaluator.transform({ operation: 'map', list, expression: 'item.n + 1' }, scope, caller),
    ).toEqual({
      kind: 'value',
      value: [2, null, 4],
      warnings: [{ kind: 'missing', count: 1, first: 'entry 1: "n" does not exist' }],
    })
  })

  test('a failure names the entry', async () => {
    const task = { operation: 'filter', list: [1, 'a'], where: 'item > 0' } as const
    expect(await evaluator.transform(task, scope, caller)).toMatchObject({
      kind: 'failed',
      problem: { message: expect.stringContaining('entry 1: the operator cannot be used') },
    })
  })
})
