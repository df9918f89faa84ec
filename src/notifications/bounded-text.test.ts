import { expect, test } from 'vitest'
import { oneLine, plainText } from './bounded-text.ts'

test('oneLine replaces every kind of line break', () => {
  expect(oneLine('a\r\nBcc: b@c\u2028d\u0085e\0f\tg ', 100)).toBe('a Bcc: b@c d e f g')
  expect(oneLine('half \uD83D', 100)).toBe('half \uFFFD')
})

test('plainText keeps line breaks and tabs and replaces other control characters', () => {
  expect(plainText('a\r\nb\rc\u2028d\n\te\0f\u001b[31m', 100)).toBe('a\nb\nc\nd\n\te f [31m')
})

test('long texts are cut, but not within a character', () => {
  expect(oneLine('abcdef', 6)).toBe('abcdef')
  expect(oneLine('abcdefg', 6)).toBe('abcde…')
  expect(plainText('abcd😀fg', 6)).toBe('abcd…')
})
