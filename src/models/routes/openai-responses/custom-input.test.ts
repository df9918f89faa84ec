import { expect, test } from 'vitest'
import { createCustomInputReader, readCustomInput, writeCustomInput } from './custom-input.ts'

const patch = '*** Begin Patch\n+ say("hi \\ there")\t👩‍👧 ü \u2028\n*** End Patch'

test.each([
  ['as this platform writes it', writeCustomInput(patch)],
  ['with spaces', ` { "input" : ${JSON.stringify(patch)} } `],
  [
    'with escapes of all characters',
    `{"input":"${patch.replaceAll(/[^]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"}`,
  ],
])('input %s is read from pieces of any size', (_name, text) => {
  for (const size of [1, 2, 3, 7, text.length]) {
    const reader = createCustomInputReader()
    const read: string[] = []
    for (let at = 0; at < text.length; at += size) read.push(reader.add(text.slice(at, at + size)))
    expect(read.join('')).toBe(patch)
    // A client decodes each event, so that none may have half of a character.
    expect(read.every((piece) => piece.isWellFormed())).toBe(true)
  }
  expect(readCustomInput(text)).toBe(patch)
})

test.each([
  ['ls -la', 'ls -la'],
  ['"ls -la"', 'ls -la'],
  ['{"command":"ls"}', '{"command":"ls"}'],
  ['{"input":7}', '{"input":7}'],
  ['', ''],
])('the arguments %j are the input %j', (text, input) => {
  expect(readCustomInput(text)).toBe(input)
  expect(createCustomInputReader().add(text)).toBe('')
})

test('line breaks without an escape are read, and the rest after an unknown escape is not', () => {
  expect(createCustomInputReader().add('{"input":"a\nb')).toBe('a\nb')
  const reader = createCustomInputReader()
  expect(reader.add('{"input":"a') + reader.add('\\x') + reader.add('b"}')).toBe('a')
})
