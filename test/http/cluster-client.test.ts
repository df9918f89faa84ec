import { describe, expect, test } from 'vitest'
import { createModelClient, type ModelClient, type ModelRoute, NoRouteLeft } from '#cluster'
import { startClusterService, startServiceFor } from '../support/cluster-service.ts'
import { findFreePort, startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'

async function ask(client: ModelClient): Promise<[string, number, string]> {
  const { route, status, body } = await client.send('generate', { model, stream: false })
  let text = ''
  for await (const chunk of body) text += String(chunk)
  return [route.kind, status, text]
}

const clientFor = (routes: readonly ModelRoute[], firstByteMs = 10_000) =>
  createModelClient({ routes, firstByteMs })

describe('the client of the platform', () => {
  test('asks the cluster, with its key', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], { CLUSTER_API_KEY: 'correct horse battery' })
    await using client = clientFor([
      { kind: 'cluster', url: service.url, apiKey: 'correct horse battery' },
      { kind: 'node', url: node.url },
    ])
    expect(await ask(client)).toEqual(['cluster', 200, expect.stringContaining('sky')])
    expect((await node.stats()).lastWork?.headers).toHaveProperty('via')
  })

  test('asks a node itself when the cluster is not there, has no healthy node or does not begin in time', async () => {
    await using node = await startModelNode()
    await using empty = await startClusterService()
    await using hanging = await startModelNode({ behaviour: 'hang' })
    const nobody = `http://localhost:${await findFreePort()}`
    for (const url of [nobody, empty.url, hanging.url]) {
      await using client = clientFor(
        [
          { kind: 'cluster', url },
          { kind: 'node', url: node.url },
        ],
        2000,
      )
      expect(await ask(client)).toEqual(['node', 200, expect.stringContaining('sky')])
    }
  })

  test('asks the gateway by its own path', async () => {
    await using gateway = await startModelNode()
    await using client = clientFor([{ kind: 'gateway', url: gateway.url }])
    // A node that is taken for the gateway: it knows no such path and says so, which is an answer.
    expect(await ask(client)).toEqual(['gateway', 404, '404 page not found'])
    expect((await gateway.stats()).requests['/api/v1/generate']).toBe(1)
  })

  test('takes an error of the request for the answer', async () => {
    await using node = await startModelNode({ models: ['other:1b'] })
    await using service = await startServiceFor([node])
    await using client = clientFor([
      { kind: 'cluster', url: service.url },
      { kind: 'node', url: node.url },
    ])
    expect(await ask(client)).toEqual(['cluster', 404, expect.stringContaining('not found')])
    expect((await node.stats()).lastWork).toBeUndefined()
  })

  test('says of every route why it failed', async () => {
    await using empty = await startClusterService()
    const nobody = `http://localhost:${await findFreePort()}`
    await using client = clientFor([
      { kind: 'cluster', url: empty.url },
      { kind: 'node', url: nobody },
    ])
    const failure = await ask(client).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NoRouteLeft)
    expect(String(failure)).toContain(
      `cluster ${empty.url}: it answered with status 503; node ${nobody}: connection refused`,
    )
  })

  test('leaves with its caller: no other route is tried', async () => {
    await using node = await startModelNode({ behaviour: 'work_hang' })
    await using other = await startModelNode()
    await using service = await startServiceFor([node])
    await using client = clientFor([
      { kind: 'cluster', url: service.url },
      { kind: 'node', url: other.url },
    ])
    const leaving = new AbortController()
    const asked = client.send('chat', { model }, { signal: leaving.signal }).catch((error: unknown) => error)
    while ((await node.stats()).working === 0);
    leaving.abort()
    expect(await asked).toBeInstanceOf(Error)
    while ((await node.stats()).working > 0);
    expect((await other.stats()).lastWork).toBeUndefined()
  })
})
