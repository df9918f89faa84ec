import { describe, expect, test } from 'vitest'
import type { Scope } from './paths.ts'
import {
  describeBadPlaceholder,
  describeOpenPlaceholder,
  expressionsIn,
  fillText,
  fillValue,
  pathsOf,
  placeholdersIn,
} from './templates.ts'

const scope: Scope = {
  memory: { score: 62, nothing: null, tags: ['a', 'b'], user: { name: 'Ada' } },
  context: {},
  steps: {},
}

describe('a placeholder', () => {
  test.each<[string, string, string[]]>([
    ['{{score ?? 1}}', '62', []],
    ['{{missing ?? 1}}', '1', []],
    ['{{missing ?? "none"}}!', 'none!', []],
    ['{{nothing ?? "none"}}', 'none', []],
    ['{{missing ?? ""}}', '', []],
    ['{{missing ?? {"a": {"b": "}}"}}}}.', '{"a":{"b":"}}"}}.', []],
    ['{{missing ?? []}}', '[]', []],
    ['{{= score + 1 }} and {{=score * 2}}', '63 and 124', []],
    ['{{= user.name + "}}" }}', 'Ada}}', []],
    ['{{= {"a": {"b": score}} }}', '{"a":{"b":62}}', []],
    ['{{= {"a": 1}}}', '{"a":1}', []],
    [`{{= 'it\\'s }}' + r"\\d" }}`, "it's }}\\d", []],
    ['{{= """a "}}" b""" }}', 'a "}}" b', []],
    ['{{= user.email }}|{{missing}}', '|', ['= user.email', 'missing']],
    ['{{= user.?email.orValue("none") }}', 'none', []],
    ['{{{score}}}', '{62}', []],
    // Without an end they are text, as before there were expressions.
    ['{{= score', '{{= score', []],
    ['{{= "score }}', '{{= "score }}', []],
    ['{{missing ?? [1}}', '', ['missing ?? [1']],
    ['a {{ {{score}}', 'a {{ 62', []],
  ])('%s becomes %s', (text, value, missing) => {
    expect(fillText(text, scope)).toEqual({ value, missing })
  })

  test('keeps the type of a default and of a result when it stands alone', () => {
    expect(
      fillValue(
        { a: '{{missing ?? [1]}}', b: '{{= score + 1 }}', c: ' {{= tags }} ', d: '{{missing ?? null}}' },
        scope,
      ),
    ).toEqual({ value: { a: [1], b: 63, c: ['a', 'b'], d: null }, missing: [] })
  })

  test('throws EXPRESSION_FAILED when its expression fails, or was to be evaluated before', () => {
    const failure = expect.objectContaining({ code: 'EXPRESSION_FAILED' })
    expect(() => fillText('{{= user + 1 }}', scope)).toThrow(failure)
    expect(() => fillText('{{= tags.sort() }}', scope)).toThrow(failure)
    const evaluated = new Map([['tags.sort()', { kind: 'value', value: ['a', 'b'] } as const]])
    expect(fillText('{{= tags.sort() }}', { ...scope, evaluated }).value).toBe('["a","b"]')
  })

  test('is listed as written, with the paths it reads', () => {
    const text = '{{a}} {{ b ?? 1 }} {{= c.d + e[0].f + (has(g.h) ? 1 : 0) + now }}'
    expect(placeholdersIn(text)).toEqual(['a', 'b ?? 1', '= c.d + e[0].f + (has(g.h) ? 1 : 0) + now'])
    expect(placeholdersIn(text).flatMap(pathsOf)).toEqual([
      { path: 'a', mayBeMissing: false },
      { path: 'b', mayBeMissing: true },
      { path: 'c.d', mayBeMissing: false },
      { path: 'e', mayBeMissing: false },
      { path: 'g.h', mayBeMissing: true },
    ])
    expect(expressionsIn([text, { deep: '{{= 1 }}' }])).toHaveLength(2)
  })

  test.each<[string, string | undefined]>([
    ['a ?? "x"', undefined],
    ['a ?? x', 'has no JSON value'],
    ['a?b', 'is not a path'],
    ['= a +', 'is not valid: Unexpected token'],
    ['= a + 1', undefined],
  ])('"%s": %s', (written, problem) => {
    const found = describeBadPlaceholder(written)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })

  test('without an end, or one too many, is a problem of the text', () => {
    expect(describeOpenPlaceholder({ deep: ['{{= a + 1 }'] })).toContain('has no closing')
    expect(describeOpenPlaceholder('{{= a }}'.repeat(100))).toBeUndefined()
    expect(describeOpenPlaceholder('{{= a }}'.repeat(101))).toContain('more than 100')
    expect(describeOpenPlaceholder('{{a}}'.repeat(101))).toBeUndefined()
  })

  test.each(['{{=', '{{a ??', '{{= "', '{{={'])('a megabyte of %s is parsed quickly', (piece) => {
    const before = process.cpuUsage()
    fillText(piece.repeat(Math.floor(1_000_000 / piece.length)), scope)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})
