import { describe, expect, test } from 'vitest'
import type { ClusterView, NodeHistory, NodeRecord } from './cluster-query.ts'
import { applyAnswer, applyNews, heardOf, readNews } from './use-live-cluster.ts'

const history: NodeHistory = {
  slice_seconds: 10,
  ends_at: '2026-05-04T12:00:10.000Z',
  requests: [1],
  failures: [0],
  first_byte_ms: [12],
  probe_ms: [null],
}

function nodeWith(id: string, more: Partial<NodeRecord> = {}): NodeRecord {
  return {
    id,
    url: `http://${id}:11434`,
    status: 'healthy',
    models: ['gemma3:4b'],
    loaded_models: [],
    weight: 1,
    active_connections: 0,
    requests: 0,
    failures: 0,
    latency: { p50: null, p95: null, ewma: null },
    last_check: null,
    last_error: null,
    runtime: 'ollama',
    max_concurrency: null,
    version: null,
    source: 'config',
    changed_by: null,
    changed_at: null,
    ...more,
  }
}

const counts = { total: 2, healthy: 2, probing: 0, unhealthy: 0, unknown: 0, draining: 0 }
const view: ClusterView = {
  instance: 'host-1',
  status: 'healthy',
  message: 'All 2 nodes are healthy.',
  counts,
  strategy: 'round-robin',
  queues: [],
  nodes: [{ ...nodeWith('one'), history }, nodeWith('two')],
}

describe('a message of the cluster stream', () => {
  test('replaces the list of nodes, which keep their history', () => {
    const { nodes } = applyNews(view, {
      event: 'nodes',
      data: { nodes: [nodeWith('three'), nodeWith('one', { weight: 4 })] },
    })
    expect(nodes).toMatchObject([nodeWith('three'), { ...nodeWith('one', { weight: 4 }), history }])
  })

  test('updates a node in place, and appends a new one', () => {
    const drained = nodeWith('one', { status: 'draining' })
    const changed = applyNews(view, { event: 'node_changed', data: { node: drained } })
    expect(changed.nodes).toMatchObject([{ ...drained, history }, nodeWith('two')])
    const more = applyNews(changed, { event: 'node_changed', data: { node: nodeWith('three') } })
    expect(more.nodes.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
  })

  test('removes a node', () => {
    const { nodes } = applyNews(view, { event: 'node_removed', data: { node: { id: 'one' } } })
    expect(nodes.map(({ id }) => id)).toEqual(['two'])
  })

  test('updates the metrics of the listed nodes and of the cluster', () => {
    const { id, active_connections, failures, latency, last_check } = nodeWith('two', {
      active_connections: 3,
    })
    const measured = applyNews(view, {
      event: 'measured',
      data: {
        instance: 'host-2',
        status: 'degraded',
        message: '1 of 2 nodes is healthy.',
        counts: { ...counts, healthy: 1 },
        strategy: 'weighted',
        queues: [{ model: 'gemma3:4b', waiting: 2 }],
        nodes: [{ id, active_connections, requests: 9, failures, latency, last_check, history }],
      },
    })
    expect(measured).toMatchObject({ status: 'degraded', strategy: 'weighted', queues: [{ waiting: 2 }] })
    expect(measured.nodes).toEqual([
      view.nodes[0],
      { ...nodeWith('two', { active_connections: 3, requests: 9 }), history },
    ])
  })

  test('wins over the response of an earlier request', () => {
    const answer = nodeWith('one', { status: 'unknown' })
    expect(applyAnswer(view, answer, 0).nodes).toEqual([{ ...answer, history }, nodeWith('two')])
    const told = applyNews(view, { event: 'node_changed', data: { node: nodeWith('one') } })
    expect(applyAnswer(told, answer, 0)).toBe(told)
    expect(applyAnswer(told, answer, heardOf(told, 'one')).nodes[0]).toMatchObject(answer)
    expect(applyAnswer(view, nodeWith('three'), 0).nodes).toHaveLength(3)
  })

  test('is ignored when its type is unknown', () => {
    expect(readNews({ event: 'weather', data: '{}' })).toBeUndefined()
    expect(readNews({ event: 'node_removed', data: '{"node":{"id":"one"}}' })).toEqual({
      event: 'node_removed',
      data: { node: { id: 'one' } },
    })
  })
})
