import { afterAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../providers/provider.ts'
import { createSchemaChecker } from './schema-checker.ts'

const checker = createSchemaChecker({ timeoutMs: 20_000 })
/** For all hostile schemas, so that the thread that replaces an ended one is the thread of the next test. */
const impatient = createSchemaChecker({ timeoutMs: 1000 })

afterAll(async () => {
  await checker[Symbol.asyncDispose]()
  await impatient[Symbol.asyncDispose]()
})

const city = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, people: { type: 'integer', minimum: 0 } },
}

describe('JSON', () => {
  test('that satisfies the schema has no problems', async () => {
    expect(await checker.findProblems(city, '{"name": "Ghent", "people": 264676}')).toEqual([])
  })

  test('that does not has all its problems with their paths', async () => {
    expect(await checker.findProblems(city, '{"people": -1, "mayor": "x"}')).toEqual([
      { path: '/name', message: "must have required property 'name'", code: 'required' },
      { path: '/mayor', message: 'must NOT have additional properties', code: 'additionalProperties' },
      { path: '/people', message: 'must be >= 0', code: 'minimum' },
    ])
  })

  test('has a problem that lists the allowed values', async () => {
    expect(await checker.findProblems({ enum: ['yes', 'no'] }, '"perhaps"')).toEqual([
      { path: '', message: 'must be equal to one of the allowed values: ["yes","no"]', code: 'enum' },
    ])
  })

  test('with a thousand problems gets the first ten', async () => {
    const many = JSON.stringify(Array.from({ length: 1000 }, () => 'x'))
    expect(await checker.findProblems({ items: { type: 'integer' } }, many)).toHaveLength(10)
  })

  test('may satisfy a recursive schema', async () => {
    const chain = { type: 'object', properties: { next: { $ref: '#' } } }
    expect(await checker.findProblems(chain, '{"next": {"next": 1}}')).toMatchObject([{ path: '/next/next' }])
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    }
    expect(await checker.findProblems(tree, '{"next": {"next": {}}}')).toEqual([])
    expect(await checker.findProblems(tree, '{"next": {"next": 1}}')).toMatchObject([{ path: '/next/next' }])
  })

  test('is checked by the draft that the schema names', async () => {
    const tuple = [{ type: 'string' }, { type: 'integer' }]
    const drafts = [
      { $schema: 'http://json-schema.org/draft-07/schema#', items: tuple },
      { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: tuple },
      { prefixItems: tuple },
    ]
    for (const schema of drafts) {
      expect(await checker.findProblems(schema, '["a", "b"]')).toMatchObject([{ path: '/1' }])
    }
  })

  test('is checked synchronously although the schema is asynchronous', async () => {
    expect(await checker.findProblems({ $async: true, type: 'string' }, '1')).toHaveLength(1)
  })

  test('is checked for formats', async () => {
    expect(await checker.findProblems({ format: 'date' }, '"2026-02-30"')).toHaveLength(1)
  })
})

/** A schema that doubles at every step. */
function doubling(steps: number): JsonSchema {
  const $defs: Record<string, unknown> = { [`d${steps}`]: { type: 'string' } }
  for (let step = 0; step < steps; step++) {
    const next = { $ref: `#/$defs/d${step + 1}` }
    $defs[`d${step}`] = { allOf: [next, next] }
  }
  return { $ref: '#/$defs/d0', $defs }
}

const nested = (depth: number): JsonSchema =>
  depth === 0 ? { type: 'string' } : { properties: { a: nested(depth - 1) } }

describe('a schema is refused', () => {
  test.each([
    ['with an unknown type', { type: 'strnig' }, /type must be/],
    ['that refers to nothing', { $ref: '#/$defs/missing' }, /can't resolve reference/],
    ['that refers to another machine', { $ref: 'http://127.0.0.1:9/schema.json' }, /can't resolve reference/],
    ['of an unknown draft', { $schema: 'https://example.com/mine' }, /\$schema must be one of/],
    ['with an invalid pattern', { pattern: '(' }, /pattern|regular expression/i],
    ['nested too deeply', nested(200), /nested more than 100 deep/],
    ['that is too long', { enum: ['x'.repeat(70_000)] }, /longer than 64 KiB/],
    ['of too many parts', { anyOf: Array.from({ length: 10_001 }, () => ({})) }, /more than 10000 parts/],
  ])('%s', async (_name, schema, message) => {
    await expect(checker.requireUsable(schema)).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
      message: expect.stringMatching(message),
      problems: [{ path: 'schema', code: 'schema' }],
    })
  })

  test.each([
    ['refers to itself directly', { $ref: '#' }, '1'],
    ['refers to itself indirectly', { allOf: [{ anyOf: [{ $ref: '#' }] }] }, '1'],
    ['doubles at every step', doubling(60), '"a"'],
    ['has a pattern with exponential time', { pattern: '^(a+)+$' }, `"${'a'.repeat(50)}!"`],
    [
      'doubles with every level of the JSON',
      {
        anyOf: [
          { properties: { a: { $ref: '#' } }, required: ['b'] },
          { properties: { a: { $ref: '#' } }, required: ['c'] },
        ],
      },
      `${'{"a":'.repeat(60)}{}${'}'.repeat(60)}`,
    ],
    [
      'compares everything with everything',
      { uniqueItems: true },
      `[${Array.from({ length: 20_000 }, (_, index) => `{"a":[${index}]}`).join(',')}]`,
    ],
  ])('when it %s, and the next check succeeds', async (_name, schema, answer) => {
    await expect(impatient.findProblems(schema, answer)).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
      message: expect.stringContaining('The schema cannot be used: '),
    })
    expect(await impatient.findProblems(city, '{"name": "Ghent"}')).toEqual([])
  })
})

test('the event loop keeps running while a hostile schema is checked', async () => {
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 10)
  await expect(impatient.findProblems({ pattern: '^(a+)+$' }, `"${'a'.repeat(50)}!"`)).rejects.toThrow(
    'too long',
  )
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(5)
})

test('checks above the queue limit are refused as overloaded', async () => {
  await using small = createSchemaChecker({ timeoutMs: 20_000, maxWaiting: 3 })
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => small.requireUsable(city)))
  expect(asked.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(asked[4]).toMatchObject({ reason: { code: 'overloaded' } })
})

test('closing aborts a running check and refuses the next', async () => {
  const closing = createSchemaChecker({ timeoutMs: 60_000 })
  const looking = closing.findProblems({ pattern: '^(a+)+$' }, `"${'a'.repeat(50)}!"`)
  const ended = expect(looking).rejects.toMatchObject({ code: 'shutting_down' })
  await closing[Symbol.asyncDispose]()
  await ended
  await expect(closing.requireUsable(city)).rejects.toMatchObject({ code: 'shutting_down' })
})

test('the id of one schema is not visible to another', async () => {
  const metaSchema = 'https://json-schema.org/draft/2020-12/schema'
  const inner = { $defs: { it: { $id: 'https://example.com/inner', type: 'string' } } }
  expect(await checker.findProblems({ $id: 'https://example.com/outer', ...inner }, '1')).toEqual([])
  expect(await checker.findProblems({ $id: metaSchema, type: 'string' }, '1')).toHaveLength(1)
  for (const $ref of ['https://example.com/inner', 'https://example.com/outer', metaSchema]) {
    await expect(checker.requireUsable({ $ref })).rejects.toThrow("can't resolve reference")
  }
  await expect(checker.requireUsable({ type: 'strnig' })).rejects.toThrow('type must be')
})

test('more schemas than the cache holds are all checked', async () => {
  for (let index = 0; index < 60; index++) {
    const schema = { $id: 'https://example.com/same', const: index }
    expect(await checker.findProblems(schema, String(index))).toEqual([])
    expect(await checker.findProblems(schema, String(index + 1))).toHaveLength(1)
  }
})

test('inherited properties are not fields', async () => {
  const needs = { type: 'object', required: ['constructor'], properties: { toString: { type: 'string' } } }
  expect(await checker.findProblems(needs, '{}')).toMatchObject([{ path: '/constructor', code: 'required' }])
  expect(await checker.findProblems(needs, '{"constructor":1}')).toEqual([])
})
