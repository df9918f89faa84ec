import { expect, test } from 'vitest'
import { readGatewayHop } from './forwarded-headers.ts'

test.each([
  [undefined, 'caller'],
  ['ours', 'ourselves'],
  ['theirs', 'another gateway'],
  [['theirs', 'ours'], 'ourselves'],
])('%j is sent by %s', (header, sender) => {
  expect(readGatewayHop(header, 'ours')).toBe(sender)
})
