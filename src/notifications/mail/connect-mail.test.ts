import { expect, test } from 'vitest'
import { needsEncryption } from './connect-mail.ts'

const login = { user: 'tutti', password: 'a password' }

const needs = (address: string | undefined) => needsEncryption({ secure: false, login }, address)

test('a password leaves this machine only over an encrypted connection', () => {
  expect(['192.0.2.7', '10.0.0.1', '2001:db8::1', '1.127.0.1', undefined].map(needs)).toEqual(
    Array.from({ length: 5 }, () => true),
  )
  expect(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'].map(needs)).toEqual(
    Array.from({ length: 4 }, () => false),
  )
  expect(needsEncryption({ secure: false, login: undefined }, '192.0.2.7')).toBe(false)
})
