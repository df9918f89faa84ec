import { Pool } from 'undici'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase } from '../embedded-database.ts'
import { ask, password, startServer } from './server-process.ts'

const connections = 32
const durationMs = 1500

const benchmark: Benchmark = {
  question: 'What does it cost a GET to know who is asking?',
  unit: 'requests/s',
  better: 'higher',
  baseline: 'no credential asked for',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database, url: databaseUrl } = closing.use(await openBenchDatabase())
    const server = closing.use(await startServer(databaseUrl))
    const { url } = server
    const pool = new Pool(url, { connections })
    closing.defer(() => pool.close())

    const { key } = await ask<{ key: string }>(url, '/api/v1/api-keys', { name: 'bench' })
    const { token } = await ask<{ token: string }>(url, '/api/v1/auth/login', { username: 'admin', password })
    const basic = Buffer.from(`admin:${password}`).toString('base64')

    function contender(name: string, path: string, headers: Record<string, string>): Contender {
      return {
        name,
        async measure() {
          let answered = 0
          const cpuBefore = await server.cpuMicroseconds()
          const begun = performance.now()
          const client = async () => {
            while (performance.now() - begun < durationMs) {
              const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
              await body.dump()
              if (statusCode !== 200) throw new Error(`${name}: answered ${statusCode}`)
              answered += 1
            }
          }
          await Promise.all(Array.from({ length: connections }, client))
          const seconds = (performance.now() - begun) / 1000
          const cpu = (await server.cpuMicroseconds()) - cpuBefore
          return { value: answered / seconds, beside: { 'server CPU µs/request': cpu / answered } }
        },
      }
    }

    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        contender('no credential asked for', '/api/v1/open', {}),
        contender('API key', '/api/v1/guarded', { 'x-api-key': key }),
        contender('JWT', '/api/v1/guarded', { authorization: `Bearer ${token}` }),
        contender('HTTP Basic', '/api/v1/guarded', { authorization: `Basic ${basic}` }),
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
