import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growthOf, maxGrowth } from '#testing/kernel'
import { scanStructure } from './json-structure.ts'
import { forgetLongTexts, jsonBytes, rememberLongTexts, shareLongTexts, writeJson } from './long-texts.ts'
import { parseJsonInSteps } from './parse-json-steps.ts'

function finish<Result>(work: Generator<undefined, Result>): Result {
  for (let next = work.next(); ; next = work.next()) if (next.done === true) return next.value
}

type Fields = Record<string, unknown>

/** A body as the server reads it, with its long texts. */
function read(json: string): Fields {
  const body = Buffer.from(json)
  const longStrings = finish(scanStructure(body, { maxValues: Number.POSITIVE_INFINITY, minBytes: 16 }))
  const parsed = finish(parseJsonInSteps(body, longStrings))
  if (parsed === undefined) throw new TypeError('not JSON')
  rememberLongTexts(parsed.data as object, parsed.texts)
  return parsed.data as Fields
}

async function piecesOf(json: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for await (const piece of json) pieces.push(piece)
  return pieces
}

/** The written JSON, and whether it has the announced length. */
async function collect(json: ReturnType<typeof writeJson>): Promise<string> {
  if (typeof json === 'string') return json
  const bytes = Buffer.concat(await piecesOf(json))
  expect(bytes).toHaveLength(json.byteLength)
  return bytes.toString()
}

const long = 'a long text of a body'

describe('a body with long texts', () => {
  test('is written with the JSON that the caller sent', async () => {
    const escaped = String.raw`{"model":"a","prompt":"\u0061\u0020long text \"of\" a body \ud83d\ude00","n":1}`
    const body = read(escaped)
    const written = writeJson({ ...body, model: 'b' }, body)
    expect(await collect(written)).toBe(escaped.replace('"a"', '"b"'))
    // A call may be tried again.
    expect(await collect(written)).toBe(escaped.replace('"a"', '"b"'))
  })

  test('is written with the fields that have changed', async () => {
    const body = read(JSON.stringify({ a: long, b: [long, `${long}!`], c: { d: long } }))
    const changed = { ...body, a: `changed ${long}`, c: { d: `${long.slice(0, -1)}?` } }
    expect(JSON.parse(await collect(writeJson(changed, body)))).toEqual(changed)
    expect(body['a']).toBe(long)
  })

  test('is as JSON.stringify writes it', async () => {
    const text = array(constantFrom('a', '"', '\\', '\n', 'é', '😀', '\u{feff}'), { maxLength: 40 }).map(
      (parts) => parts.join(''),
    )
    const value = record({
      text,
      more: array(text, { maxLength: 5 }),
      n: integer(),
      same: constantFrom(long, `${long}x`),
    })
    await assert(
      asyncProperty(array(value, { maxLength: 5 }), boolean(), async (list, isReversed) => {
        const body = read(JSON.stringify({ list }))
        const items = body['list'] as unknown[]
        const changed = { list: isReversed ? items.toReversed() : items }
        expect(JSON.parse(await collect(writeJson(changed, body)))).toEqual(changed)
      }),
      { numRuns: 40 },
    )
  })

  test('is sent in pieces of at most 128 KiB', async () => {
    const body = read(
      JSON.stringify({ a: 'x'.repeat(400_000), b: Array.from({ length: 50 }, () => 'y'.repeat(50)) }),
    )
    const written = writeJson(body, body)
    if (typeof written === 'string') throw new TypeError('it has no pieces')
    const sizes = (await piecesOf(written)).map(({ length }) => length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(128 * 1024)
    expect(sizes).toHaveLength(5)
  })

  test('shares them with its copies, until it is forgotten', () => {
    const body = read(JSON.stringify({ a: long }))
    const copy = { ...body }
    expect(writeJson(copy, copy)).toBe(JSON.stringify(copy))
    shareLongTexts(body, copy)
    expect(writeJson(copy, copy)).not.toBeTypeOf('string')
    forgetLongTexts(copy)
    expect(writeJson(body, body)).toBe(JSON.stringify(body))
    expect(writeJson(copy, copy)).toBe(JSON.stringify(copy))
  })

  test('is counted without the escape sequences of its long texts', () => {
    const body = read(String.raw`{"a":"a long text with \u00e9\n and more","b":"\n"}`)
    expect(jsonBytes(body)).toBe(
      Buffer.byteLength(JSON.stringify({ ...body, a: 'a long text with é, and more' })),
    )
  })
})

test('a body without long texts is written at once', () => {
  expect(writeJson({ a: 1 }, {})).toBe('{"a":1}')
  expect(jsonBytes({ a: 'é' })).toBe(10)
})

function makeTexts(count: number) {
  const texts = Array.from({ length: count }, (_, nth) => `${'x'.repeat(2000)}${1000 + nth}`)
  return read(JSON.stringify({ texts }))
}

function writeReversed(body: Fields) {
  return writeJson({ texts: (body['texts'] as string[]).toReversed() }, body)
}

test('texts of equal length and a long common start cost linear time', async () => {
  expect(await growthOf(makeTexts, writeReversed, 1600)).toBeLessThan(maxGrowth)
})
