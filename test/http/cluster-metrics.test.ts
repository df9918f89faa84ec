import { expect, test } from 'vitest'
import { startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'

test('the metrics count requests, duration, cost and retries of each node', async () => {
  await using bad = await startModelNode({ loaded: [model] })
  await using good = await startModelNode()
  await using service = await startServiceFor([bad, good], { HEALTH_CHECK_INTERVAL: '1h' })
  const [badId, goodId] = service.cluster.nodes().map(({ id }) => id)
  const ask = async (path: string, body: object, headers = {}) =>
    await (await service.post(path, { model, ...body }, { headers })).text()
  const values = async (name: string) =>
    (await service.metrics.render())
      .split('\n')
      .filter((line) => line.startsWith(`tutti_cluster_${name}`))
      .map((line) => line.slice('tutti_cluster_'.length))
      .toSorted()

  await ask('/api/generate', { stream: false })
  await ask('/api/generate', { options: { num_predict: 3 } }, { 'x-cluster-strategy': 'weighted' })
  const messages = [{ role: 'user', content: 'Why?' }]
  await ask('/v1/chat/completions', { messages, stream: true, stream_options: { include_usage: true } })
  expect(await values('requests_total')).toEqual([
    `requests_total{node="${badId}",strategy="round-robin",outcome="answered"} 2`,
    `requests_total{node="${badId}",strategy="weighted",outcome="answered"} 1`,
  ])
  expect(await values('first_byte_seconds_count')).toEqual([`first_byte_seconds_count{node="${badId}"} 3`])
  expect(await values('request_seconds_count')).toEqual([`request_seconds_count{node="${badId}"} 3`])
  expect(await values('tokens_total')).toEqual([
    `tokens_total{node="${badId}",model="${model}",kind="completion"} 23`,
    `tokens_total{node="${badId}",model="${model}",kind="prompt"} 33`,
  ])
  expect(await values('failovers_total')).toEqual([])

  await bad.behave('work_error')
  await ask('/api/generate', { stream: false })
  expect(await values('failovers_total')).toEqual([`failovers_total{node="${badId}",reason="status"} 1`])
  expect(await values('requests_total')).toContain(
    `requests_total{node="${badId}",strategy="round-robin",outcome="failed"} 1`,
  )
  expect(await values('requests_total')).toContain(
    `requests_total{node="${goodId}",strategy="round-robin",outcome="answered"} 1`,
  )

  await bad.behave('normal')
  const leaving = new AbortController()
  const endless = { model, options: { num_predict: 100_000, token_delay_ms: 10 } }
  await service.post('/api/generate', endless, { signal: leaving.signal })
  leaving.abort()
  await eventually(async () =>
    (await values('requests_total')).includes(
      `requests_total{node="${badId}",strategy="round-robin",outcome="cancelled"} 1`,
    ),
  )
})
