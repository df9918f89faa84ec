import { expect, test } from 'vitest'
import { textOf } from './find-element.ts'

const textIn = (textContent: string) => textOf({ textContent })

test('the text of an element is one line', () => {
  expect(textIn('  Save\n\t now\u0007 ')).toBe('Save now')
  expect(textIn(' \n ')).toBeNull()
})

test('long text is cut as the platform stores it', () => {
  expect(textIn('x'.repeat(500))).toBe('x'.repeat(120))
  // Half an emoji cannot be stored and a trailing space is trimmed: neither would match again.
  expect(textIn(`${'x'.repeat(119)}😀 and more`)).toBe(`${'x'.repeat(119)}😀`)
  expect(textIn('😀'.repeat(300))).toBe('😀'.repeat(120))
  expect(textIn(`${'x'.repeat(119)} and more`)).toBe('x'.repeat(119))
})
