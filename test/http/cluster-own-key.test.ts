import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type OpenPlatform, openPlatform } from '../support/platform.ts'

const model = 'gemma3:4b'
const apiKey = 'a-key-of-at-least-twenty-characters'
const authorization = `Bearer ${apiKey}`

let node: ModelNode
let platform: OpenPlatform
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  node = stack.use(await startModelNode({ models: [model] }))
  // Reachable from other machines, with accounts for authentication and no key.
  platform = stack.use(
    await openPlatform({ CLUSTER_HOST: '0.0.0.0', CLUSTER_NODES: node.url, TUTTI_API_KEY: apiKey }),
  )
  await eventually(async () => (await fetch(`${platform.clusterUrl}/readyz`)).ok)
})
afterAll(() => stack.disposeAsync())

describe('a cluster with authentication and without a key', () => {
  test('accepts the gateway of its own platform, whose key no node gets', async () => {
    let lastWork: Awaited<ReturnType<typeof node.stats>>['lastWork']
    async function ask(): Promise<string | undefined> {
      const answer = await fetch(`${platform.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Why?' }] }),
      })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-model-provider')).toBe('ollama')
      lastWork = (await node.stats()).lastWork
      return lastWork?.path
    }
    // The prober calls the node, too, and may have run in between.
    await expect.poll(ask).toBe('/api/chat')
    expect(Object.keys(lastWork?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(authorization|x-api-key)$/)]),
    )
  })

  test.each([
    ['an anonymous caller', {}, 401],
    ['a stranger', { authorization: 'Bearer undefined' }, 401],
    ['a stranger with an empty key', { 'x-api-key': '' }, 401],
    ['an account', { authorization }, 200],
  ])('responds to %s correctly', async (_who, headers, status) => {
    const answer = await fetch(`${platform.clusterUrl}/api/tags`, { headers })
    expect(answer.status).toBe(status)
  })
})
