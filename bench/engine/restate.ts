/** Restate: its server in a temporary folder, and a service whose handler has five journaled steps, called over its ingress. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { serveBenchmark } from './contender-process.ts'
import { output, stepNames } from './five-steps.ts'
import { importPeer, peerFile } from './peers.ts'

interface Context {
  run<Result>(name: string, action: () => Promise<Result>): Promise<Result>
}

/** The part of its API that is used here. */
interface RestateModule {
  service(definition: {
    readonly name: string
    readonly handlers: Readonly<Record<string, (context: Context, number: number) => Promise<unknown>>>
  }): object
  serve(options: { readonly services: readonly object[]; readonly port: number }): Promise<number>
}

const restate = await importPeer<RestateModule>('@restatedev/restate-sdk')
const begun = new Map<number, () => void>()
let started = 0

const service = restate.service({
  name: 'Bench',
  handlers: {
    async fiveSteps(context, number) {
      for (const name of stepNames) {
        await context.run(name, async () => {
          if (name === 'one') begun.get(number)?.()
          return output
        })
      }
    },
  },
})

const [ingressPort, adminPort, nodePort, servicePort] = await freePorts(4)
await restate.serve({ services: [service], port: servicePort ?? 0 })
const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-restate-'))
const binary = join(
  peerFile(`@restatedev/restate-server-${process.platform}-${process.arch}/package.json`),
  '../bin/restate-server',
)
const server = spawn(binary, ['--no-logo', '--base-dir', folder], {
  stdio: ['ignore', 'ignore', 'ignore'],
  env: {
    ...process.env,
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RUST_LOG: 'error',
  },
})
await register()
const ingress = new Pool(`http://127.0.0.1:${ingressPort}`, { connections: 50 })

/** Retries the registration, because the server needs a moment to start. */
async function register(): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: `http://127.0.0.1:${servicePort}` }),
    }).catch(() => undefined)
    if (answer?.ok === true) return
    if (Date.now() > giveUpAt || server.exitCode !== null) {
      throw new Error(`the server refused the service: ${(await answer?.text()) ?? 'no answer'}`)
    }
    await delay(200)
  }
}

async function ask(path: string, number: number): Promise<void> {
  const { statusCode, body } = await ingress.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: String(number),
  })
  const text = await body.text()
  if (statusCode >= 300) throw new Error(`Restate answered ${statusCode}: ${text}`)
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const probe = createServer().listen(0, '127.0.0.1')
      await once(probe, 'listening')
      return probe
    }),
  )
  return servers.map((probe) => {
    const address = probe.address()
    probe.close()
    return typeof address === 'object' && address !== null ? address.port : 0
  })
}

serveBenchmark({
  serverPid: server.pid,
  ways: { start: () => ask('/Bench/fiveSteps', (started += 1)) },
  async enqueue(tell) {
    const number = (started += 1)
    begun.set(number, () => {
      begun.delete(number)
      tell()
    })
    await ask('/Bench/fiveSteps/send', number)
  },
  async close() {
    await ingress.close()
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
    // Its HTTP/2 server cannot be closed.
    process.exit(0)
  },
})
