import { expect, test } from 'vitest'
import { textOf } from './find-element.ts'

const textIn = (textContent: string) => textOf({ textContent })

test('the words of an element are one line', () => {
  expect(textIn('  Save\n\t now\u0007 ')).toBe('Save now')
  expect(textIn(' \n ')).toBeNull()
})

test('long ones are cut where the platform stores them as they are', () => {
  expect(textIn('x'.repeat(500))).toBe('x'.repeat(120))
  // Half an emoji cannot be stored, and a space at the end is taken off: neither would be found again.
  expect(textIn(`${'x'.repeat(119)}😀 and more`)).toBe(`${'x'.repeat(119)}😀`)
  expect(textIn('😀'.repeat(300))).toBe('😀'.repeat(120))
  expect(textIn(`${'x'.repeat(119)} and more`)).toBe('x'.repeat(119))
})
