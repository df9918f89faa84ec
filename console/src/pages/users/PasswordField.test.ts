import { expect, test } from 'vitest'
import { generatePassword } from './PasswordField.tsx'

test('makes up another password each time, easy to read aloud', () => {
  const made = Array.from({ length: 200 }, generatePassword)
  expect(new Set(made).size).toBe(200)
  for (const password of made)
    expect(password).toMatch(/^(?:[a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/)
})
