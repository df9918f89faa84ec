import { describe, expect, test } from 'vitest'
import { requireOwnHost } from './own-host.ts'

describe('a service without a key', () => {
  test.each([
    { host: 'localhost:3001' },
    { host: 'localhost' },
    { host: '127.0.0.1:3001' },
    { host: '127.8.8.8' },
    { host: '[::1]:3001' },
    { host: 'LOCALHOST:3001', origin: 'http://localhost:3000' },
    { host: '127.0.0.1:3001', origin: 'https://127.0.0.1' },
    {},
  ])('accepts %j', (headers) => {
    expect(() => requireOwnHost(headers)).not.toThrow()
  })

  test.each([
    { host: 'evil.example:3001' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: '10.0.0.1:3001' },
    { host: '' },
    { host: 'localhost:3001', origin: 'http://evil.example' },
    { host: 'localhost:3001', origin: 'null' },
    { host: 'localhost@evil.example' },
  ])('refuses %j', (headers) => {
    expect(() => requireOwnHost(headers)).toThrow()
  })
})
