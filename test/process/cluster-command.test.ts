import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'

const model = 'gemma3:4b'
const file = new URL('../../src/app/cli.ts', import.meta.url)

interface Command {
  readonly child: RunningProcess
  readonly url: string
  readonly metricsUrl: string
}

async function startCommand(node: ModelNode): Promise<Command & AsyncDisposable> {
  const child = await startProcess({
    file,
    args: ['cluster'],
    env: {
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      DISCOVERY_PORTS: '',
      CLUSTER_NODES: node.url,
      CLUSTER_API_KEY: undefined,
      LOG_LEVEL: 'warn',
    },
  })
  const find = async (pattern: RegExp) => /http\S+/.exec(await child.waitForLine(pattern))?.[0] ?? ''
  const url = await find(/Model cluster/)
  const metricsUrl = await find(/Metrics/)
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 50)
  return { child, url, metricsUrl, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}

const generate = (url: string, count: number) =>
  fetch(`${url}/api/generate`, {
    method: 'POST',
    body: JSON.stringify({ model, options: { num_predict: count, token_delay_ms: 20 } }),
  })

describe('tutti cluster', () => {
  test('passes requests on, shows its metrics, and lets a stream end when it is told to stop', async () => {
    await using node = await startModelNode()
    await using command = await startCommand(node)
    const response = await generate(command.url, 25)
    expect(response.status).toBe(200)
    const metrics = await (await fetch(command.metricsUrl)).text()
    expect(metrics).toMatch(/tutti_cluster_node_healthy\{node="localhost-\d+-[0-9a-f]{6}"\} 1/)
    expect(metrics).toContain('tutti_cluster_first_byte_seconds_count')
    const exit = command.child.kill('SIGTERM')
    expect((await response.text()).trimEnd().split('\n')).toHaveLength(26)
    expect(await exit).toEqual({ code: 0, signal: null })
    expect(command.child.stderr).toEqual([])
  })

  test('takes the work of its callers with it when it is killed', async () => {
    await using node = await startModelNode()
    await using command = await startCommand(node)
    const response = await generate(command.url, 100_000)
    await eventually(async () => (await node.stats()).working === 1)
    await command.child.kill()
    await expect(response.text()).rejects.toThrow()
    await eventually(async () => (await node.stats()).working === 0)
  })
})
