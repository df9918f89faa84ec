import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import type { Contender, Stage } from '../benchmark.ts'
import { openBenchDatabase } from '../embedded-database.ts'
import { processorMs } from '../engine/processor-time.ts'
import { percentile } from '../summary.ts'
import { type Peer, peerVersions, startLiteLlm, startPortkey } from './peers.ts'

const connections = 32
const durationMs = 1500
const alone = 150
const apiKey = 'sk-bench-key-of-the-gateway'

/** Where a contender is reached, and the process whose processor time counts. */
interface Target {
  readonly url: string
  readonly model: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pid: number | undefined
}

/** Starts the provider and all gateways in front of it. A peer that cannot be installed is skipped with a message. */
export async function startStage(stream: boolean): Promise<Stage> {
  await using closing = new AsyncDisposableStack()
  const { database, url: databaseUrl } = closing.use(await openBenchDatabase())
  const [port, provider] = await start<number>(new URL('./raw-openai.ts', import.meta.url), {})
  closing.defer(() => provider.disconnect())
  const providerUrl = `http://127.0.0.1:${port}`
  const [{ url }, server] = await start<{ url: string }>(new URL('./server.ts', import.meta.url), {
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: `${providerUrl}/v1`,
    TUTTI_API_KEY: apiKey,
    TUTTI_CUSTOM_TIER: '1000000000,1000,1000000000',
    NODE_ENV: 'production',
  })
  closing.defer(async () => {
    const ended = once(server, 'exit')
    server.send('end')
    await ended
  })

  async function findPeer(name: string, open: () => Promise<Peer>): Promise<Peer | undefined> {
    try {
      const peer = closing.use(await open())
      await requireResponse(peer, stream)
      return peer
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      process.stdout.write(`${name} is skipped: ${reason}\n`)
      return undefined
    }
  }

  const liteLlm = await findPeer('LiteLLM', () => startLiteLlm(providerUrl, apiKey))
  const portkey = await findPeer('Portkey', () => startPortkey(providerUrl))

  const contender = (name: string, target: Target): Contender => {
    const pool = new Pool(target.url, { connections })
    closing.defer(() => pool.close())
    return measureTarget(name, target, pool, stream)
  }
  const contenders = [
    contender('the provider directly', { url: providerUrl, model: 'priced', pid: undefined }),
    contender('Tutti, unpriced model', { url, model: 'unpriced', pid: server.pid }),
    contender('Tutti, priced model', { url, model: 'priced', pid: server.pid }),
    ...(liteLlm ? [contender('LiteLLM', { ...liteLlm, model: 'unpriced' })] : []),
    ...(portkey ? [contender('Portkey', { ...portkey, model: 'unpriced' })] : []),
  ]
  const opened = closing.move()
  return {
    versions: {
      PostgreSQL: database.version,
      ...(liteLlm && { LiteLLM: peerVersions.litellm }),
      ...(portkey && { Portkey: peerVersions['@portkey-ai/gateway'] }),
    },
    contenders,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Throws when a peer does not respond to a request of the benchmark. */
async function requireResponse({ url, headers }: Peer, stream: boolean): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...headers },
    body: requestBody('unpriced', stream),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`it responds ${response.status} ${text.slice(0, 200)}`)
}

function requestBody(model: string, stream: boolean): string {
  return JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  })
}

function measureTarget(name: string, target: Target, pool: Pool, stream: boolean): Contender {
  const body = requestBody(target.model, stream)
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...target.headers,
  }

  /** Reads a response to its end and returns the time to its first token. */
  async function ask(): Promise<number> {
    const begun = performance.now()
    const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body })
    let firstMs: number | undefined
    let text = ''
    for await (const chunk of answer.body) {
      text += String(chunk)
      if (firstMs === undefined && text.includes(' word')) firstMs = performance.now() - begun
    }
    if (answer.statusCode !== 200 || firstMs === undefined || (stream && !text.includes('[DONE]'))) {
      throw new Error(`${name}: answered ${answer.statusCode} ${text.slice(0, 300)}`)
    }
    return firstMs
  }

  return {
    name,
    async measure() {
      const taken: number[] = []
      for (let round = 0; round < alone; round += 1) taken.push(await ask())
      const cpuBefore = target.pid === undefined ? 0 : processorMs(target.pid)
      const begun = performance.now()
      let answers = 0
      const caller = async () => {
        while (performance.now() - begun < durationMs) {
          await ask()
          answers += 1
        }
      }
      await Promise.all(Array.from({ length: connections }, caller))
      const seconds = (performance.now() - begun) / 1000
      const cpuMs = target.pid === undefined ? 0 : processorMs(target.pid) - cpuBefore
      return {
        value: answers / seconds,
        beside: {
          [stream ? 'first token ms, p50' : 'response ms, p50']: percentile(taken, 0.5),
          'gateway CPU µs/request': (cpuMs * 1000) / answers,
        },
      }
    },
  }
}

/** Starts a process and waits for its first message. */
async function start<Said>(
  file: URL,
  environment: Readonly<Record<string, string>>,
): Promise<[Said, ChildProcess]> {
  const child = fork(file, { env: { ...process.env, ...environment } })
  const [said] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`${file.pathname} ended with ${String(code)}`)),
    ),
  ])) as [Said]
  return [said, child]
}
