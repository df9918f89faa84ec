import { expect, test } from 'vitest'
import { readRequestOptions } from './request-options.ts'

function optionsOf(headers: Readonly<Record<string, string>>, account?: string, mayPrioritise = true) {
  return readRequestOptions(
    { headers, remoteAddress: undefined },
    { sessionHeader: 'x-session-id', account, mayPrioritise },
  )
}

const callerOf = (headers: Readonly<Record<string, string>>, account?: string) =>
  optionsOf(headers, account).caller

test('the gateway header is trusted from the API key and this machine, not from an account', () => {
  const headers = { 'x-tutti-gateway': 'ours' }
  expect(optionsOf(headers).isFromGateway).toBe(true)
  expect(optionsOf(headers, 'account-7').isFromGateway).toBe(false)
  expect(optionsOf({}).isFromGateway).toBe(false)
})

test('a caller without an account can name its caller', () => {
  expect(callerOf({ 'x-cluster-caller': 'ana' })).toBe('ana')
})

test('an account is always its own caller, even with a caller header', () => {
  expect(callerOf({ 'x-cluster-caller': 'ana' }, 'account-7')).toBe('account-7')
})

test('without a name the caller is the remote address', () => {
  expect(callerOf({})).toBe('unknown')
})

test.each(['high', 'urgent'])('the priority %s needs the right to it', (priority) => {
  expect(optionsOf({ 'x-priority': priority }).priority).toBe(priority)
  expect(() => optionsOf({ 'x-priority': priority }, 'account-7', false)).toThrow(
    expect.objectContaining({ code: 'permission_denied', message: expect.stringContaining(priority) }),
  )
})

test('every caller may go behind others', () => {
  expect(optionsOf({ 'x-priority': 'low' }, 'account-7', false).priority).toBe('low')
  expect(optionsOf({}, 'account-7', false).priority).toBe('normal')
})
