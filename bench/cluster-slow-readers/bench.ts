import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { open, writeRequest } from '../cluster/load.ts'
import { startServers } from '../cluster/servers.ts'

const readers = 256
const watchMs = 2000

const benchmark: Benchmark = {
  question: `How much memory do ${readers} callers cost who ask for endless streams and read nothing?`,
  unit: 'MiB more than idle',
  better: 'lower',
  baseline: 'tutti cluster',
  async setUp() {
    const started = await startServers()
    const idle = new Map(started.servers.map((server) => [server, server.residentMiB()]))
    return {
      versions: started.versions,
      contenders: started.servers.map((server) => ({
        name: server.name,
        async measure() {
          const sockets = await Promise.all(Array.from({ length: readers }, () => open(server.port)))
          for (const socket of sockets) socket.pause().write(writeRequest('/api/embed'))
          await sleep(watchMs)
          const all = server.residentMiB()
          for (const socket of sockets) socket.destroy()
          return { value: all - (idle.get(server) ?? 0), beside: { 'MiB in all': all } }
        },
      })),
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    }
  },
}

export default benchmark
