import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from './load.ts'
import { findReferenceProxies, type ReferenceProxy } from './reference-proxy.ts'

/** A server in front of the node, or the node itself. */
interface BenchServer extends AsyncDisposable {
  readonly name: string
  readonly port: number
  /** Processor time that it and the processes it started have used, in milliseconds. */
  cpuMs(): number
  /** Current memory in MiB. */
  residentMiB(): number
}

export interface BenchServers extends AsyncDisposable {
  readonly servers: readonly BenchServer[]
  readonly baseline: string
  readonly versions: Readonly<Record<string, string>>
}

/** A node, and in front of it nginx and haproxy, as far as they are installed, and the cluster service as `tutti cluster` starts it. */
export async function startServers(): Promise<BenchServers> {
  await using closing = new AsyncDisposableStack()
  const node = closing.use(await startRawNode())
  const cluster = closing.use(await startClusterProcess(node.port))
  const found = findReferenceProxies()
  const references: BenchServer[] = []
  for (const proxy of found) references.push(closing.use(await startReference(proxy, node.port)))
  if (found.length === 0) {
    console.log(
      'neither nginx nor haproxy is installed (nor named in NGINX or HAPROXY): ratios are to the node asked directly',
    )
  }
  const opened = closing.move()
  return {
    servers: [...references, node, cluster],
    baseline: references[0]?.name ?? node.name,
    versions: Object.assign({}, ...found.map(({ versions }) => versions)) as Record<string, string>,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function startRawNode(): Promise<BenchServer> {
  const child = fork(new URL('./raw-node.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [port] = (await once(child, 'message')) as [number]
  return serverOf('the node directly', port, child)
}

async function startClusterProcess(nodePort: number): Promise<BenchServer> {
  const tutti = new URL('../../bin/tutti', import.meta.url).pathname
  const child = spawn(tutti, ['cluster'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      DISCOVERY_PORTS: '',
      CLUSTER_NODES: `http://127.0.0.1:${nodePort}`,
      CLUSTER_NODE_CONCURRENCY: '10000',
      HEALTH_CHECK_INTERVAL: '1h',
    },
  })
  let port = 0
  for await (const line of createInterface({ input: child.stdout })) {
    port = Number(/Model cluster.*:(\d+)/.exec(line)?.[1] ?? port)
    if (port !== 0) break
  }
  child.stdout.resume()
  const ready = `http://127.0.0.1:${port}/readyz`
  while ((await fetch(ready)).status !== 200) await sleep(50)
  const processes = Number(process.env['TUTTI_WORKERS'] ?? 1)
  return serverOf(processes > 1 ? `tutti cluster, ${processes} processes` : 'tutti cluster', port, child)
}

async function startReference(
  { name, program, configure, argue }: ReferenceProxy,
  nodePort: number,
): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-proxy-'))
  const port = await findPort()
  const config = join(folder, 'config')
  await writeFile(config, configure({ folder, port, nodePort }))
  const child = spawn(program, argue(folder, config), { stdio: 'ignore' })
  for (;;) {
    try {
      ;(await open(port)).destroy()
      break
    } catch {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}, see ${folder}`)
      await sleep(20)
    }
  }
  const server = serverOf(name, port, child)
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function serverOf(name: string, port: number, child: ChildProcess): BenchServer {
  const { pid = 0 } = child
  /** Sums up fields of the process and the processes that it has started. */
  const sum = (...fields: readonly number[]) => {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    const values = [pid, ...started].flatMap((id) => {
      const texts = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return fields.map((field) => Number(texts[field]))
    })
    return values.reduce((total, value) => total + value, 0)
  }
  return {
    name,
    port,
    // Fields 14 and 15 of the file, in hundredths of a second.
    cpuMs: () => sum(11, 12) * 10,
    residentMiB: () => (sum(21) * 4096) / 1_048_576,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
