import { expect, test } from 'vitest'
import { generatePassword } from './PasswordField.tsx'

test('generates a different password each time, without characters that look alike', () => {
  const made = Array.from({ length: 200 }, generatePassword)
  expect(new Set(made).size).toBe(200)
  for (const password of made)
    expect(password).toMatch(/^(?:[a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/)
})
