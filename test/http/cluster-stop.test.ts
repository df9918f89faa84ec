import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startCluster } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort, startModelNode } from '../support/model-node.ts'

describe('a cluster that stops', () => {
  test('leaves no handle that keeps its process alive', async () => {
    await using good = await startModelNode()
    await using hanging = await startModelNode({ behaviour: 'hang' })
    const anonymousPrincipal = await findFreePort()
    const program = fileURLToPath(new URL('../fixtures/cluster-process.ts', import.meta.url))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, NODES: `${good.url},${hanging.url}`, PORTS: String(anonymousPrincipal) },
      timeout: 50_000,
    })
    expect(stdout.trim()).toBe('stopped')
    expect(stderr).toBe('')
  })

  test('closes the connection of a running probe', async () => {
    await using node = await startModelNode({ behaviour: 'hang' })
    const { cluster } = startCluster({ environment: { CLUSTER_NODES: node.url }, timeoutMs: 60_000 })
    await eventually(async () => (await node.stats()).connections > 0)
    await cluster.stop()
    await eventually(async () => (await node.stats()).connections === 0)
    expect(cluster.nodes()).toMatchObject([{ status: 'unknown', last_error: null }])
    expect((await node.stats()).requests['/api/tags']).toBe(1)
  })

  test('can be stopped twice', async () => {
    await using service = startCluster()
    await service.cluster.stop()
    await service.cluster.stop()
  })

  test('probes many nodes without a listener warning', async () => {
    await using node = await startModelNode()
    const warnings: Error[] = []
    const remember = (warning: Error) => warnings.push(warning)
    process.on('warning', remember)
    const addresses = Array.from({ length: 40 }, (_unused, index) => `${node.url}/${index}`)
    const { cluster } = startCluster({ environment: { CLUSTER_NODES: addresses.join(',') } })
    await cluster.firstRound
    await cluster.stop()
    const { requests, maxConcurrent } = await node.stats()
    expect(Object.keys(requests)).toHaveLength(40)
    expect(maxConcurrent).toBeLessThanOrEqual(16)
    process.off('warning', remember)
    expect(warnings).toEqual([])
  })
})
