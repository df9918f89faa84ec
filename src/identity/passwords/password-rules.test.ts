import { expect, test } from 'vitest'
import { describeUnfitPassword, generatePassword } from './password-rules.ts'

test('a generated password is readable, follows the rules and is unique', () => {
  const generated = Array.from({ length: 200 }, generatePassword)
  expect(new Set(generated).size).toBe(200)
  for (const password of generated) {
    expect(password).toMatch(/^[a-z2-9]{5}(?:-[a-z2-9]{5}){3}$/)
    expect(password).not.toMatch(/[ilo01]/)
    expect(describeUnfitPassword(password)).toBeUndefined()
  }
})
