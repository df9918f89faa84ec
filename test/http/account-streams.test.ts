import { expect, test } from 'vitest'
import { addAccountWithKey } from '../support/accounts.ts'
import { eventually } from '../support/eventually.ts'
import { openPlatform } from '../support/platform.ts'
import { openStream } from './streams-client.ts'

test('an account has as many event streams as TUTTI_ACCOUNT_STREAMS allows, and others are not affected', async () => {
  await using platform = await openPlatform({ TUTTI_ACCOUNT_STREAMS: '2' })
  const [greedy, other] = [
    await addAccountWithKey(platform.database, { roles: ['administrator'] }),
    await addAccountWithKey(platform.database, { roles: ['administrator'] }),
  ]
  const open = ({ key }: { readonly key: string }) =>
    openStream(`${platform.url}/ai-orchestra/api/live-stream`, { 'x-api-key': key })
  await using first = await open(greedy)
  await using second = await open(greedy)
  expect([first.status, second.status]).toEqual([200, 200])
  await using third = await open(greedy)
  expect(third.status).toBe(429)
  const refusal = await fetch(`${platform.url}/ai-orchestra/api/live-stream`, {
    headers: { 'x-api-key': greedy.key },
  })
  expect(await refusal.json()).toMatchObject({
    error: { message: expect.stringContaining('has 2 open event streams here') },
  })
  // The open streams are no requests in progress, and other accounts have their own number.
  const me = await fetch(`${platform.url}/api/v1/user/profile`, { headers: { 'x-api-key': greedy.key } })
  expect(me.status).toBe(200)
  await using others = await open(other)
  expect(others.status).toBe(200)
  await first[Symbol.asyncDispose]()
  await eventually(async () => {
    await using again = await open(greedy)
    return again.status === 200
  }, 100)
})
