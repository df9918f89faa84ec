import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  letrec,
  nat,
  oneof,
  property,
  string,
  tuple,
} from 'fast-check'
import { expect, test } from 'vitest'
import { scanStructure } from './json-structure.ts'
import { parseJsonInSteps } from './parse-json-steps.ts'

const minBytes = 16

function finish<Result>(work: Generator<undefined, Result>): Result {
  for (let next = work.next(); ; next = work.next()) if (next.done === true) return next.value
}

const options = { maxValues: Number.POSITIVE_INFINITY, minBytes }

/** Texts of some dozen bytes are read in several steps. */
function parse(body: Buffer, stepBytes = 16) {
  return finish(parseJsonInSteps(body, finish(scanStructure(body, options)), { stepBytes }))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** As the reader of whole bodies parses it. */
function parseWhole(body: Buffer): { readonly data: unknown } | undefined {
  try {
    return { data: JSON.parse(utf8.decode(body)) as unknown }
  } catch {
    return undefined
  }
}

/** The source of a string in JSON: mostly valid, long enough to be read in several parts now and then. */
const pieces = constantFrom(
  'plain text ',
  'ä',
  '日本',
  '😀',
  '\u{feff}',
  '\u2028',
  String.raw`\\`,
  String.raw`\"`,
  String.raw`\n`,
  String.raw`\u0041`,
  String.raw`\ud83d`,
  String.raw`\ude00`,
  String.raw`\u0000`,
  '\u007f',
)
const invalidPieces = constantFrom(
  '\n',
  '\0',
  '\u001f',
  String.raw`\x`,
  String.raw`\u00g0`,
  String.raw`\u12`,
  '\\',
  '"',
)
const source: Arbitrary<string> = array(pieces, { maxLength: 12 }).map((parts) => `"${parts.join('')}"`)
const valueSource = oneof(source, source, constantFrom('1', 'null', 'true', '"short"'))

const names = constantFrom(
  'a',
  'b',
  '1',
  '0',
  '__proto__',
  'constructor',
  'a long name of a field, not a text',
)
const { json } = letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: oneof({ maxDepth: 3 }, valueSource, tie('list'), tie('object')),
  list: array(tie('json'), { maxLength: 4 }).map((items) => `[ ${items.join(' ,\n')}]`),
  object: array(tuple(names, tie('json')), { maxLength: 4 }).map(
    (fields) => `{${fields.map(([name, value]) => `"${name}" : ${value}`).join(',')} }`,
  ),
}))

test('JSON is parsed as JSON.parse parses it', () => {
  assert(
    property(json, (text) => {
      const body = Buffer.from(text)
      const parsed = parse(body)
      expect(parsed?.data).toEqual(parseWhole(body)?.data)
      expect(parsed === undefined).toBe(parseWhole(body) === undefined)
    }),
    { numRuns: 200 },
  )
})

test('invalid JSON is refused, wherever it is invalid', () => {
  assert(
    property(json, invalidPieces, nat(), (text, piece, position) => {
      const at = position % (text.length + 1)
      const body = Buffer.from(`${text.slice(0, at)}${piece}${text.slice(at)}`)
      expect(parse(body)?.data).toEqual(parseWhole(body)?.data)
      expect(parse(body) === undefined).toBe(parseWhole(body) === undefined)
    }),
    { numRuns: 300 },
  )
})

test('bytes that are not UTF-8 are refused, wherever they are', () => {
  assert(
    property(
      json,
      constantFrom([0x80], [0xc3], [0xed, 0xa0, 0x80], [0xff], [0xf0, 0x9f, 0x98]),
      nat(),
      (text, bytes, position) => {
        const given = Buffer.from(text)
        const at = position % (given.length + 1)
        const body = Buffer.concat([given.subarray(0, at), Buffer.from(bytes), given.subarray(at)])
        expect(parse(body)?.data).toEqual(parseWhole(body)?.data)
      },
    ),
    { numRuns: 300 },
  )
})

test.each(['"', '{"a":"', '[1,"'])('a body that ends inside a string is refused: %s', (start) => {
  expect(parse(Buffer.from(`${start}${'x'.repeat(100)}`))).toBeUndefined()
})

test('a byte order mark is ignored at the start of a body, and a character in a text', () => {
  expect(parse(Buffer.from(`\u{feff}["\u{feff}${'x'.repeat(20)}"]`))?.data).toEqual([
    `\u{feff}${'x'.repeat(20)}`,
  ])
})

test('a text that looks like a mark stays as it is', () => {
  assert(
    property(string(), (text) => {
      const body = Buffer.from(JSON.stringify([text, 'x'.repeat(20), text]))
      expect(parse(body)?.data).toEqual([text, 'x'.repeat(20), text])
    }),
  )
})

test('of two fields with one name the last one counts', () => {
  const [one, two] = ['1'.repeat(20), '2'.repeat(20)]
  const body = Buffer.from(`{"a":"${one}","a":"${two}","b":"${one}","b":3}`)
  expect(parse(body)?.data).toEqual({ a: two, b: 3 })
})

test('no step takes more than a small part of a large body', () => {
  const text = Buffer.from(JSON.stringify([`a "quoted" line\n`.repeat(40_000), 'x'.repeat(700_000)]))
  let steps = 0
  const work = parseJsonInSteps(text, finish(scanStructure(text, options)))
  while (work.next().done !== true) steps += 1
  expect(steps).toBeGreaterThan(20)
  steps = 0
  const scan = scanStructure(text, options)
  while (scan.next().done !== true) steps += 1
  expect(steps).toBeGreaterThan(5)
})
