import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../scripts/run-command.ts'

/** The gateways for comparison. They are not dependencies of the project: the benchmark installs them. */
export const peerVersions = { litellm: '1.97.0', '@portkey-ai/gateway': '1.15.2' } as const

const folder = new URL('../../.cache/bench-gateways/', import.meta.url)

/** A running gateway. */
export interface Peer extends AsyncDisposable {
  readonly url: string
  /** Headers that select the provider, for a gateway without a configuration file. */
  readonly headers: Readonly<Record<string, string>>
  readonly pid: number
}

/** Starts LiteLLM with one worker in front of the provider. `LITELLM_COMMAND` names an installed one. */
export async function startLiteLlm(providerUrl: string, apiKey: string): Promise<Peer> {
  const command = process.env['LITELLM_COMMAND'] ?? (await installLiteLlm())
  await mkdir(folder, { recursive: true })
  const config = fileURLToPath(new URL('litellm.yaml', folder))
  const models = ['unpriced', 'priced'].map((model) => ({
    model_name: model,
    litellm_params: { model: `openai/${model}`, api_base: `${providerUrl}/v1`, api_key: 'none' },
  }))
  // JSON is YAML.
  await writeFile(
    config,
    JSON.stringify({ model_list: models, general_settings: { master_key: apiKey }, litellm_settings: {} }),
  )
  const port = await findPort()
  return await startPeer(command, ['--config', config, '--port', String(port), '--host', '127.0.0.1'], {
    url: `http://127.0.0.1:${port}`,
    ready: '/health/liveliness',
    headers: {},
  })
}

/** Starts Portkey's gateway, which needs no configuration: the request names the provider. */
export async function startPortkey(providerUrl: string): Promise<Peer> {
  const prefix = fileURLToPath(new URL('portkey/', folder))
  const program = `${prefix}node_modules/@portkey-ai/gateway/build/start-server.js`
  if (!existsSync(program)) {
    const wanted = `@portkey-ai/gateway@${peerVersions['@portkey-ai/gateway']}`
    await mkdir(prefix, { recursive: true })
    await requireOk('npm', [
      'install',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      wanted,
    ])
  }
  const port = await findPort()
  return await startPeer(process.execPath, [program, `--port=${port}`, '--headless'], {
    url: `http://127.0.0.1:${port}`,
    ready: '/',
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${providerUrl}/v1`,
    },
  })
}

async function installLiteLlm(): Promise<string> {
  const environment = fileURLToPath(new URL('litellm/', folder))
  const program = `${environment}bin/litellm`
  const installed = await readFile(`${environment}version`, 'utf8').catch(() => '')
  if (installed === peerVersions.litellm) return program
  await requireOk('python3', ['-m', 'venv', environment])
  await requireOk(`${environment}bin/pip`, [
    'install',
    '--quiet',
    '--retries=0',
    `litellm[proxy]==${peerVersions.litellm}`,
  ])
  await writeFile(`${environment}version`, peerVersions.litellm)
  return program
}

async function requireOk(command: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await runCommand(command, args)
  if (!ok) throw new Error(`${command} failed: ${output.trim().replaceAll(/\s+/g, ' ').slice(-200)}`)
}

const startTimeoutMs = 120_000

async function startPeer(
  command: string,
  args: readonly string[],
  {
    url,
    ready,
    headers,
  }: { readonly url: string; readonly ready: string; readonly headers: Peer['headers'] },
): Promise<Peer> {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } })
  const ended = once(child, 'exit')
  ended.catch(() => {})
  const deadline = Date.now() + startTimeoutMs
  while (!(await isReady(`${url}${ready}`))) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`${command} did not start`)
    if (Date.now() > deadline) {
      child.kill()
      throw new Error(`${command} was not ready within ${startTimeoutMs / 1000} s`)
    }
    await delay(200)
  }
  return { url, headers, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => end(child, ended) }
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill()
    await ended
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
