import { expect, test } from 'vitest'
import { bodyOf } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { recordRequests } from './record-requests.ts'

const origin = 'http://tutti.test'

test('what an action asks for first is written down, and what comes after does not happen', async () => {
  let isDone = false
  const recorded = await recordRequests(origin, async ({ client }) => {
    await bodyOf(client.POST('/api/v1/roles', { body: { name: 'night', label: 'Night', permissions: [] } }))
    isDone = true
  })
  expect(recorded).toEqual([
    {
      method: 'POST',
      url: `${origin}/api/v1/roles`,
      body: JSON.stringify({ name: 'night', label: 'Night', permissions: [] }),
    },
  ])
  expect(isDone).toBe(false)
})

test('who does the same to many things is written down for each', async () => {
  const recorded = await recordRequests(origin, async ({ client }) => {
    for (const id of ['a', 'b']) {
      await client.DELETE('/api/v1/sessions/{id}', { params: { path: { id } } }).catch((error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error
      })
    }
  })
  expect(recorded.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'DELETE /api/v1/sessions/a',
    'DELETE /api/v1/sessions/b',
  ])
})

test('an action that asks for nothing leaves nothing', async () => {
  expect(await recordRequests(origin, () => Promise.reject(new Error('not an object in JSON')))).toEqual([])
})
