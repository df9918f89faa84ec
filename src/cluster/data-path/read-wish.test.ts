import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readWish } from './read-wish.ts'

function wishOf(headers: Readonly<Record<string, string>>, account?: string) {
  const request = new IncomingMessage(new Socket())
  request.headers = headers
  return readWish(request, { sessionHeader: 'x-session-id', account })
}

const callerOf = (headers: Readonly<Record<string, string>>, account?: string) =>
  wishOf(headers, account).caller

test('the mark of a gateway is believed of the key and of this machine, not of an account', () => {
  const headers = { 'x-tutti-gateway': 'ours' }
  expect(wishOf(headers).isFromGateway).toBe(true)
  expect(wishOf(headers, 'account-7').isFromGateway).toBe(false)
  expect(wishOf({}).isFromGateway).toBe(false)
})

test('who has no account may say on whose behalf they ask', () => {
  expect(callerOf({ 'x-cluster-caller': 'ana' })).toBe('ana')
})

test('an account takes its turns as itself, whoever it says it is', () => {
  expect(callerOf({ 'x-cluster-caller': 'ana' }, 'account-7')).toBe('account-7')
})

test('who says nothing is the address they come from', () => {
  expect(callerOf({})).toBe('unknown')
})
