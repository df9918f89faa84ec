import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { healthRulesFor } from '../../src/cluster/nodes/health.ts'
import { createTrackedNode } from '../../src/cluster/nodes/tracked-node.ts'
import { Deadlines } from '../../src/cluster/requests/deadlines.ts'
import type { FailedAttempt } from '../../src/cluster/requests/failed-attempt.ts'
import { createNodePools, type NodePools } from '../../src/cluster/requests/node-pools.ts'
import type { NodeCall } from '../../src/cluster/requests/wire/node-call.ts'
import { eventually } from '../support/eventually.ts'
import { untilClosed } from '../support/until-closed.ts'
import { answerOf, startWireNode, type WireRequest } from './cluster-node-connection-node.ts'

function track(url: string) {
  return createTrackedNode({ url, weight: 1, source: 'config' }, healthRulesFor(1000))
}

/** Connections without a timeout. */
function createTimelessPools(): NodePools {
  const deadlines = new Deadlines({ tickMs: 3_600_000 })
  const pools = createNodePools(deadlines)
  return {
    ...pools,
    [Symbol.dispose]() {
      pools[Symbol.dispose]()
      deadlines[Symbol.dispose]()
    },
  }
}

/** Sends a request and returns the response, or the error. */
function ask(
  pools: NodePools,
  node: ReturnType<typeof track>,
  onData: (call: NodeCall) => void = () => {},
): Promise<string | FailedAttempt> {
  const { promise, resolve } = Promise.withResolvers<string | FailedAttempt>()
  let text = ''
  const call = pools.of(node).call(
    { path: '/api/chat', headers: ['content-type', 'application/json'], body: Buffer.from('{}') },
    {
      head() {},
      data(bytes) {
        text += bytes.toString()
        onData(call)
      },
      end: () => resolve(text),
      failed: resolve,
    },
  )
  call.start()
  return promise
}

function answerWell({ socket, nth }: WireRequest): void {
  socket.write(answerOf(String(nth)))
}

describe('a kept-alive connection', () => {
  test('is closed when the node sends unrequested data', async () => {
    await using server = await startWireNode(answerWell)
    using pools = createTimelessPools()
    const node = track(server.url)
    expect(await ask(pools, node)).toBe('1')
    const [socket] = server.sockets
    if (socket === undefined) throw new Error('no request arrived')
    socket.write(answerOf('the response to another caller'))
    await untilClosed(socket)
    expect(await ask(pools, node)).toBe('2')
    expect(server.sockets).toHaveLength(2)
  })

  test('keeps reading, although its previous caller stopped', async () => {
    await using server = await startWireNode(answerWell)
    using pools = createTimelessPools()
    const node = track(server.url)
    expect(await ask(pools, node, (call) => call.pause())).toBe('1')
    expect(await ask(pools, node)).toBe('2')
    expect(server.sockets).toHaveLength(1)
  })

  test('is closed when its node is removed', async () => {
    await using server = await startWireNode(answerWell)
    using pools = createTimelessPools()
    const node = track(server.url)
    await ask(pools, node)
    pools.drop(node)
    await eventually(() => server.open === 0)
    expect(await ask(pools, node)).toBe('2')
  })

  test('counts against the limit of idle connections', async () => {
    const concurrent = 300
    const waiting: WireRequest[] = []
    await using server = await startWireNode((request) => {
      waiting.push(request)
      if (waiting.length === concurrent) for (const each of waiting) answerWell(each)
    })
    using pools = createTimelessPools()
    const node = track(server.url)
    await Promise.all(Array.from({ length: concurrent }, () => ask(pools, node)))
    expect(server.sockets).toHaveLength(concurrent)
    await eventually(() => server.open === 256)
  })
})

describe('an active connection', () => {
  test('finishes its request when its node is removed, and is closed then', async () => {
    await using server = await startWireNode(() => {})
    using pools = createTimelessPools()
    const node = track(server.url)
    const asked = ask(pools, node)
    await eventually(() => server.requests.length === 1)
    pools.drop(node)
    server.sockets[0]?.write(answerOf('1'))
    expect(await asked).toBe('1')
    await eventually(() => server.open === 0)
  })

  test('ends with all others at shutdown, and no new one is opened', async () => {
    await using server = await startWireNode(() => {})
    const pools = createTimelessPools()
    const node = track(server.url)
    const asked = ask(pools, node)
    await eventually(() => server.requests.length === 1)
    pools[Symbol.dispose]()
    expect(await asked).toMatchObject({ kind: 'closed' })
    await eventually(() => server.open === 0)
    expect(await ask(pools, node)).toMatchObject({ kind: 'closed' })
    expect(server.sockets).toHaveLength(1)
  })
})

describe('a connection that cannot be established', () => {
  test('times out', async () => {
    // The kernel accepts connections for a busy process, up to its backlog.
    const program = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
      console.log(this.address().port)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000)
      process.exit()
    })`
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    await using closing = new AsyncDisposableStack()
    closing.defer(() => void child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const port = Number(line.toString())
    for (let count = 0; count < 8; count++) {
      const filling = connect(port, '127.0.0.1').on('error', () => {})
      closing.defer(() => void filling.destroy())
    }
    using deadlines = new Deadlines()
    using pools = createNodePools(deadlines, { connectMs: 200 })
    expect(await ask(pools, track(`http://127.0.0.1:${port}`))).toEqual({
      kind: 'late',
      reason: 'failed: the host did not accept the connection in time',
    })
  })
})
