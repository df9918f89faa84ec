import { afterAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../providers/provider.ts'
import { createSchemaChecker } from './schema-checker.ts'

const checker = createSchemaChecker()

afterAll(() => checker[Symbol.asyncDispose]())

const city = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, people: { type: 'integer', minimum: 0 } },
}

describe('an answer', () => {
  test('that satisfies the schema has no problems', async () => {
    expect(await checker.findProblems(city, '{"name": "Ghent", "people": 264676}')).toEqual([])
  })

  test('that does not is told where it does not, all at once', async () => {
    expect(await checker.findProblems(city, '{"people": -1, "mayor": "x"}')).toEqual([
      { path: '/name', message: "must have required property 'name'", code: 'required' },
      { path: '/mayor', message: 'must NOT have additional properties', code: 'additionalProperties' },
      { path: '/people', message: 'must be >= 0', code: 'minimum' },
    ])
  })

  test('is told what it may be', async () => {
    expect(await checker.findProblems({ enum: ['yes', 'no'] }, '"perhaps"')).toEqual([
      { path: '', message: 'must be equal to one of the allowed values: ["yes","no"]', code: 'enum' },
    ])
  })

  test('with a thousand problems is told ten', async () => {
    const many = JSON.stringify(Array.from({ length: 1000 }, () => 'x'))
    expect(await checker.findProblems({ items: { type: 'integer' } }, many)).toHaveLength(10)
  })

  test('can be a tree whose schema leads back to itself', async () => {
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

  test('is checked although the schema says that it takes time', async () => {
    expect(await checker.findProblems({ $async: true, type: 'string' }, '1')).toHaveLength(1)
  })

  test('is checked by formats', async () => {
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
    ['that refers to nothing', { $ref: '#/$defs/nobody' }, /can't resolve reference/],
    ['that refers to another machine', { $ref: 'http://127.0.0.1:9/schema.json' }, /can't resolve reference/],
    ['of a draft nobody knows', { $schema: 'https://example.com/mine' }, /\$schema must be one of/],
    ['with a pattern that is none', { pattern: '(' }, /pattern|regular expression/i],
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
    ['leads back to itself at once', { $ref: '#' }, '1'],
    ['leads back to itself by detours', { allOf: [{ anyOf: [{ $ref: '#' }] }] }, '1'],
    ['doubles at every step', doubling(60), '"a"'],
    ['has a pattern that takes for ever', { pattern: '^(a+)+$' }, `"${'a'.repeat(50)}!"`],
    [
      'doubles with every level of the answer',
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
  ])('when it %s, and the next one is checked as ever', async (_name, schema, answer) => {
    await using impatient = createSchemaChecker({ timeoutMs: 500 })
    await expect(impatient.findProblems(schema, answer)).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
      message: expect.stringContaining('The schema cannot be used: '),
    })
    expect(await impatient.findProblems(city, '{"name": "Ghent"}')).toEqual([])
  })
})

test('while a hostile schema is looked at, everything else goes on', async () => {
  await using patient = createSchemaChecker({ timeoutMs: 500 })
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 10)
  await expect(patient.findProblems({ pattern: '^(a+)+$' }, `"${'a'.repeat(50)}!"`)).rejects.toThrow(
    'too long',
  )
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(10)
})

test('more than may wait is refused as overloaded, and the rest is answered', async () => {
  await using small = createSchemaChecker({ mostWaiting: 3 })
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

test('closing ends a look that is under way, and refuses the next', async () => {
  const closing = createSchemaChecker({ timeoutMs: 60_000 })
  const looking = closing.findProblems({ pattern: '^(a+)+$' }, `"${'a'.repeat(50)}!"`)
  const ended = expect(looking).rejects.toMatchObject({ code: 'shutting_down' })
  await closing[Symbol.asyncDispose]()
  await ended
  await expect(closing.requireUsable(city)).rejects.toMatchObject({ code: 'shutting_down' })
})

test('what one schema calls itself is nothing to another', async () => {
  const metaSchema = 'https://json-schema.org/draft/2020-12/schema'
  const inner = { $defs: { it: { $id: 'https://example.com/inner', type: 'string' } } }
  expect(await checker.findProblems({ $id: 'https://example.com/outer', ...inner }, '1')).toEqual([])
  expect(await checker.findProblems({ $id: metaSchema, type: 'string' }, '1')).toHaveLength(1)
  for (const $ref of ['https://example.com/inner', 'https://example.com/outer', metaSchema]) {
    await expect(checker.requireUsable({ $ref })).rejects.toThrow("can't resolve reference")
  }
  await expect(checker.requireUsable({ type: 'strnig' })).rejects.toThrow('type must be')
})

test('more schemas than are remembered are all checked', async () => {
  for (let index = 0; index < 120; index++) {
    const schema = { $id: 'https://example.com/same', const: index }
    expect(await checker.findProblems(schema, String(index))).toEqual([])
    expect(await checker.findProblems(schema, String(index + 1))).toHaveLength(1)
  }
})

test('what every object inherits is no field of an answer', async () => {
  const needs = { type: 'object', required: ['constructor'], properties: { toString: { type: 'string' } } }
  expect(await checker.findProblems(needs, '{}')).toMatchObject([{ path: '/constructor', code: 'required' }])
  expect(await checker.findProblems(needs, '{"constructor":1}')).toEqual([])
})
