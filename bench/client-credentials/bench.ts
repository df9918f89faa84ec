import { generateKeyPair, SignJWT } from 'jose'
import { Pool } from 'undici'
import { ask, startServer } from '../auth/server-process.ts'
import type { Benchmark } from '../benchmark.ts'
import { openBenchDatabase } from '../embedded-database.ts'

const connections = 16
const durationMs = 800

/** Each client may request 60 tokens a minute, so many clients in turn are needed to keep a server busy for some seconds. */
const clientCount = 90

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

const benchmark: Benchmark = {
  question: 'How many tokens per second for clients that act without a user?',
  unit: 'tokens/s',
  better: 'higher',
  baseline: 'the signature alone, in one thread',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database, url: databaseUrl } = closing.use(await openBenchDatabase())
    const server = closing.use(await startServer(databaseUrl))
    const pool = new Pool(server.url, { connections })
    closing.defer(() => pool.close())
    const clients: Client[] = []
    for (let index = 0; index < clientCount; index += 1) {
      const registration = {
        name: `bench ${index}`,
        scopes: ['models.read'],
        grant_types: ['client_credentials'],
      }
      clients.push(await ask<Client>(server.url, '/api/v1/oauth-clients', registration))
    }
    let next = 0

    async function getToken(): Promise<void> {
      next = (next + 1) % clients.length
      const { client_id = '', client_secret = '' } = clients[next] ?? {}
      const fields = { grant_type: 'client_credentials', client_id, client_secret, scope: 'models.read' }
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`the token endpoint answered ${statusCode}: ${text}`)
    }

    const { privateKey } = await generateKeyPair('ES256')
    const sign = () =>
      new SignJWT({ scope: 'models.read' })
        .setProtectedHeader({ alg: 'ES256' })
        .setExpirationTime('1h')
        .sign(privateKey)

    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        {
          name: 'the signature alone, in one thread',
          async measure() {
            const before = process.cpuUsage()
            let tokens = 0
            const value = await countPerSecond(1, async () => {
              await sign()
              tokens += 1
            })
            const { user, system } = process.cpuUsage(before)
            return { value, beside: { 'CPU µs/token': (user + system) / tokens } }
          },
        },
        {
          name: 'POST /oauth/token',
          async measure() {
            const cpuBefore = await server.cpuMicroseconds()
            let tokens = 0
            const value = await countPerSecond(connections, async () => {
              await getToken()
              tokens += 1
            })
            const cpu = (await server.cpuMicroseconds()) - cpuBefore
            return { value, beside: { 'CPU µs/token': cpu / tokens } }
          },
        },
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

async function countPerSecond(concurrency: number, work: () => Promise<unknown>): Promise<number> {
  let done = 0
  const begun = performance.now()
  const worker = async () => {
    while (performance.now() - begun < durationMs) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return done / ((performance.now() - begun) / 1000)
}

export default benchmark
