import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startCluster, startClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { startModelNode } from '../support/model-node.ts'
import { patience } from '../support/patience.ts'

describe('a cluster that stops', () => {
  test('leaves no handle that keeps its process alive', async () => {
    await using good = await startModelNode()
    await using hanging = await startModelNode({ behaviour: 'hang' })
    const anonymousPrincipal = await findFreePort()
    const program = fileURLToPath(new URL('../fixtures/cluster-process.ts', import.meta.url))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, NODES: `${good.url},${hanging.url}`, PORTS: String(anonymousPrincipal) },
      timeout: 110_000 * patience,
    })
    expect(stdout.trim()).toBe('stopped')
    expect(stderr).toBe('')
  })

  test('closes the connection of a running probe', async () => {
    await using node = await startModelNode({ behaviour: 'hang' })
    const { cluster } = startCluster({ environment: { CLUSTER_NODES: node.url }, timeoutMs: 60_000 })
    await eventually(async () => (await node.stats()).requests['/api/tags'] === 1)
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
    const environment = { CLUSTER_NODES: addresses.join(',') }
    const { cluster } = startCluster({ environment, timeoutMs: 20_000 })
    await cluster.firstRound
    await cluster.stop()
    const { requests, maxConcurrent } = await node.stats()
    // A node without the native API is asked for other ones.
    const probed = new Set(Object.keys(requests).map((route) => route.split('/')[1]))
    expect(probed.size).toBe(40)
    expect(maxConcurrent).toBeLessThanOrEqual(16)
    process.off('warning', remember)
    expect(warnings).toEqual([])
  })
})

describe('the shutdown of the service', () => {
  test.each([
    ['/api/chat', { model: 'gemma3:4b', messages: [] }],
    ['/v1/chat/completions', { model: 'gemma3:4b', messages: [], stream: true }],
  ])(
    'ends a stream of %s with one error in the shape of its protocol, and blames no node',
    async (path, body) => {
      await using node = await startModelNode({ behaviour: 'work_stalls' })
      const logged: string[] = []
      await using service = await startClusterService({
        environment: { CLUSTER_NODES: node.url, HEALTH_CHECK_INTERVAL: '1h' },
        timeoutMs: 45_000,
        logged,
      })
      await service.cluster.firstRound
      const response = await service.post(path, body)
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = (await reader?.read())?.value ?? ''
      const waiting = service.post('/api/generate', {
        model: 'gemma3:4b',
        stream: false,
        options: { token_delay_ms: 60_000 },
      })
      await eventually(async () => (await node.stats()).working === 2)
      const closed = service.close()
      for (;;) {
        const piece = await reader?.read()
        if (piece === undefined || piece.done) break
        text += piece.value
      }
      await closed
      const pieces = text.trimEnd().split(/\n+/)
      const failure = JSON.parse((pieces.at(-1) ?? '').replace(/^data: /, '')) as unknown
      const message = 'The server is stopping. Try again shortly.'
      expect(failure).toEqual({
        error: path.startsWith('/v1') ? { message, type: 'api_error', param: null, code: null } : message,
      })
      expect(pieces.filter((piece) => piece.includes('"error"'))).toHaveLength(1)
      expect((await waiting).status).toBe(503)
      expect(service.cluster.nodes()).toMatchObject([
        { status: 'healthy', failures: 0, last_error: null, active_connections: 0 },
      ])
      const lines = logged.map(
        (line) => JSON.parse(line) as { readonly msg: string; readonly level: unknown },
      )
      expect(lines.filter(({ msg }) => msg === 'request ended by the shutdown')).toHaveLength(2)
      expect(logged.join('')).not.toContain('failed')
    },
  )
})
