import { describe, expect, test } from 'vitest'
import { startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'

async function untilWorking(node: ModelNode, count: number): Promise<void> {
  await eventually(async () => (await node.stats()).working === count)
}

describe('a caller that disconnects', () => {
  test.each([
    ['a stream', '/api/generate', { model, options: { num_predict: 100_000, token_delay_ms: 5 } }],
    [
      'an answer in one piece',
      '/api/generate',
      { model, stream: false, options: { num_predict: 1000, token_delay_ms: 100 } },
    ],
    ['a compatible answer', '/v1/chat/completions', { model, options: { token_delay_ms: 100_000 } }],
    [
      'an execution',
      '/api/cluster/execute',
      { operation: 'generate', request: { model, options: { num_predict: 1000, token_delay_ms: 100 } } },
    ],
  ])('aborts the work of the node, of %s', async (_what, path, body) => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const leaving = new AbortController()
    const response = service.post(path, body, { signal: leaving.signal })
    const ended = response.then((answer) => answer.text()).catch((error: unknown) => error)
    await untilWorking(node, 1)
    expect(service.cluster.nodes()).toMatchObject([{ active_connections: 1 }])
    leaving.abort()
    expect(await ended).toBeInstanceOf(Error)
    await untilWorking(node, 0)
    const { cancelled } = await node.stats()
    expect(cancelled).toBe(1)
    expect(service.cluster.nodes()).toMatchObject([{ active_connections: 0, failures: 0, status: 'healthy' }])
  })

  test('aborts the work of the second node after the first had failed', async () => {
    await using bad = await startModelNode({ behaviour: 'work_reset' })
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good])
    const leaving = new AbortController()
    const body = { model, stream: false, options: { num_predict: 1000, token_delay_ms: 100 } }
    const ended = service
      .post('/api/generate', body, { signal: leaving.signal })
      .catch((error: unknown) => error)
    await untilWorking(good, 1)
    leaving.abort()
    await ended
    await untilWorking(good, 0)
  })
})

describe('a closing service', () => {
  test('lets a stream end', async () => {
    await using node = await startModelNode()
    const service = await startServiceFor([node])
    const short = { model, options: { num_predict: 8, token_delay_ms: 20 } }
    const response = await service.post('/api/generate', short)
    const closed = service.close(600_000)
    expect((await response.text()).trimEnd().split('\n')).toHaveLength(9)
    await closed
  })

  test('ends streams with an error line at the deadline', async () => {
    await using node = await startModelNode()
    const service = await startServiceFor([node])
    const long = { model, options: { num_predict: 100_000, token_delay_ms: 20 } }
    const response = await service.post('/api/generate', long)
    const closed = service.close(1000)
    expect((await response.text()).trimEnd().split('\n').at(-1)).toBe(
      '{"error":"The server is stopping. Try again shortly."}',
    )
    await closed
    await untilWorking(node, 0)
  })
})
