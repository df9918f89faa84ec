import { expect, test } from 'vitest'
import { readJsonLines } from './json-lines.ts'

async function read(...chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const body = (async function* () {
    yield* chunks
  })()
  const options = { who: 'The node', longestLineBytes: 64, onBytes: () => {} }
  const values: unknown[] = []
  for await (const value of readJsonLines(body, options)) values.push(value)
  return values
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('lines are read wherever they are cut, in the middle of a character too', async () => {
  const whole = bytes('{"a":"über"}\n\r\n{"b":"🌤"}\n{"c":1}')
  const expected = [{ a: 'über' }, { b: '🌤' }, { c: 1 }]
  for (let cut = 0; cut <= whole.length; cut++) {
    expect(await read(whole.subarray(0, cut), whole.subarray(cut))).toEqual(expected)
  }
  expect(await read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(expected)
})

test('a line is there as soon as it is complete', async () => {
  const { promise: never } = Promise.withResolvers<void>()
  const body = (async function* () {
    yield bytes('{"a":1}\n{"b"')
    await never
  })()
  const lines = readJsonLines(body, { who: 'It', longestLineBytes: 64, onBytes: () => {} })
  expect(await lines.next()).toEqual({ done: false, value: { a: 1 } })
})

test('nothing is nothing', async () => {
  expect(await read()).toEqual([])
  expect(await read(bytes('\n\n'))).toEqual([])
})

test.each([
  ['half a line at the end', [bytes('{"a":1}\n{"b":')]],
  ['two values on a line', [bytes('{"a":1}{"b":2}\n')]],
  ['a page', [bytes('<h1>Hello</h1>\n')]],
  ['bytes that are no text', [Uint8Array.of(0x22, 0xff, 0x22, 10)]],
  ['a character that is torn off', [bytes('"ü').subarray(0, 2), bytes('\n')]],
  ['a line without end', [bytes('"x'.repeat(20)), bytes('x'.repeat(40))]],
])('%s is refused', async (_what, chunks) => {
  await expect(read(...chunks)).rejects.toMatchObject({ kind: 'malformed' })
})

test('a long line is fine up to the bound', async () => {
  const line = JSON.stringify('x'.repeat(62))
  expect(await read(bytes(line.slice(0, 40)), bytes(`${line.slice(40)}\n`))).toEqual(['x'.repeat(62)])
})
