import { expect, test } from 'vitest'
import { checkLabel, oneLine } from './check-label.ts'

test.each(['Welcome', '<b>bold</b>', '漢字 👩‍🚀', "it's", 'x'.repeat(255), '🎉'.repeat(255)])(
  '%s can be shown',
  (label) => {
    expect(checkLabel(label, 'label')).toBeUndefined()
  },
)

test.each([
  ['', 'required'],
  [' \u3000 ', 'required'],
  ['\u200b\u2060\ufeff', 'required'],
  ['\u202e\u3164', 'required'],
  ['x'.repeat(256), 'maxLength'],
  ['a\nb', 'one_line'],
  ['a\u2028b', 'one_line'],
  ['a\u001bb', 'one_line'],
  ['a\u0085b', 'one_line'],
])('%j is refused as %s', (label, code) => {
  expect(checkLabel(label, 'label')).toMatchObject({ path: 'label', code })
})

test('the text of an element becomes one line', () => {
  expect(oneLine('  Save\n\t now ')).toBe('Save now')
  expect(oneLine(' \n ')).toBeNull()
  expect(oneLine(null)).toBeNull()
  expect(oneLine('🎉'.repeat(300))).toBe('🎉'.repeat(200))
})
