import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase } from '../embedded-database.ts'
import { percentile } from '../summary.ts'

const connections = 32
const durationMs = 1500
const firstTokens = 150
const apiKey = 'bench-key-of-the-gateway'

const benchmark: Benchmark = {
  question: 'What does an answer through the gateway cost, beside asking the provider itself?',
  unit: 'streams/s',
  better: 'higher',
  baseline: 'the provider directly',

  async setUp() {
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

    async function cpuMicroseconds(): Promise<number> {
      const answered = once(server, 'message')
      server.send('cpu')
      const [{ cpuMicroseconds: used }] = (await answered) as [{ cpuMicroseconds: number }]
      return used
    }

    function contender(name: string, origin: string, model: string): Contender {
      const pool = new Pool(origin, { connections })
      closing.defer(() => pool.close())
      const body = JSON.stringify({
        model,
        messages: [{ role: 'user', content: 'Why is the sky blue?' }],
        stream: true,
        stream_options: { include_usage: true },
      })
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }

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
        if (firstMs === undefined || !text.endsWith('data: [DONE]\n\n')) {
          throw new Error(`${name}: answered ${answer.statusCode} ${text.slice(0, 300)}`)
        }
        return firstMs
      }

      return {
        name,
        async measure() {
          const taken: number[] = []
          for (let round = 0; round < firstTokens; round += 1) taken.push(await ask())
          const cpuBefore = await cpuMicroseconds()
          const begun = performance.now()
          let streams = 0
          const caller = async () => {
            while (performance.now() - begun < durationMs) {
              await ask()
              streams += 1
            }
          }
          await Promise.all(Array.from({ length: connections }, caller))
          const seconds = (performance.now() - begun) / 1000
          const cpu = (await cpuMicroseconds()) - cpuBefore
          return {
            value: streams / seconds,
            beside: {
              'first token ms, p50': percentile(taken, 0.5),
              'gateway CPU µs/stream': cpu / streams,
            },
          }
        },
      }
    }

    const contenders = [
      contender('the provider directly', providerUrl, 'priced'),
      contender('the gateway, unpriced model', url, 'unpriced'),
      contender('the gateway, priced model', url, 'priced'),
    ]
    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
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

export default benchmark
