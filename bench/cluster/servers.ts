import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from './load.ts'

/** A server in front of the node, or the node itself. */
interface BenchServer extends AsyncDisposable {
  readonly name: string
  readonly port: number
  /** Processor time it has used, in milliseconds. */
  cpuMs(): number
  /** Memory it has now, in MiB. */
  residentMiB(): number
}

export interface BenchServers extends AsyncDisposable {
  readonly servers: readonly BenchServer[]
  readonly baseline: string
  readonly versions: Readonly<Record<string, string>>
}

/** A node, and in front of it nginx with one worker, if it is there, and the cluster service as `tutti cluster` starts it. */
export async function startServers(): Promise<BenchServers> {
  await using closing = new AsyncDisposableStack()
  const node = closing.use(await startRawNode())
  const cluster = closing.use(await startClusterProcess(node.port))
  const program = findNginx()
  const nginx = program === undefined ? undefined : closing.use(await startNginx(program, node.port))
  if (program === undefined) {
    console.log('nginx is not installed (nor named in NGINX): ratios are to the node asked directly')
  }
  const opened = closing.move()
  return {
    servers: [...(nginx === undefined ? [] : [nginx]), node, cluster],
    baseline: nginx?.name ?? node.name,
    versions: program === undefined ? {} : { nginx: versionOf(program) },
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
  return serverOf('tutti cluster', port, child)
}

/** Told by NGINX, or found where programs are. */
function findNginx(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return [process.env['NGINX'] ?? '', ...folders.map((folder) => join(folder, 'nginx'))].find(
    (path) => path !== '' && existsSync(path),
  )
}

function versionOf(program: string): string {
  const text = execFileSync('sh', ['-c', '"$0" -v 2>&1', program], { encoding: 'utf8' })
  return /nginx\/([\d.]+)/.exec(text)?.[1] ?? 'unknown'
}

async function startNginx(program: string, nodePort: number): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-nginx-'))
  const port = await findPort()
  const config = join(folder, 'nginx.conf')
  await writeFile(config, writeConfig(folder, port, nodePort))
  const child = spawn(program, ['-p', folder, '-c', config, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  for (;;) {
    try {
      ;(await open(port)).destroy()
      break
    } catch {
      if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'))
      await sleep(20)
    }
  }
  const server = serverOf('nginx, 1 worker', port, child)
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One process is one worker. Streams are not buffered, or tokens would wait for each other. */
function writeConfig(folder: string, port: number, nodePort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
      keepalive_requests 1000000;
      upstream node { server 127.0.0.1:${nodePort}; keepalive 256; keepalive_requests 1000000; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://node;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_buffering off;
        }
        location /api/chat {
          proxy_pass http://node;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
    }
  `
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
  const { pid } = child
  const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return {
    name,
    port,
    // Fields 14 and 15 of the file, in hundredths of a second.
    cpuMs: () => (Number(stat()[11]) + Number(stat()[12])) * 10,
    residentMiB: () => (Number(stat()[21]) * 4096) / 1_048_576,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
