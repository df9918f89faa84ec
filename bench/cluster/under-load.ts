import type { Benchmark } from '../benchmark.ts'
import { putUnderLoad } from './load.ts'
import { startServers } from './servers.ts'

const connections = 64
const durationMs = 2000
/** Just-in-time compilers need more warm-up than the one round of the runner. */
const warmUpMs = 10_000

/** Measures the throughput of each server for one kind of response. */
export function benchUnderLoad(question: string, unit: string, path: string): Benchmark {
  const baseline = { name: '' }
  return {
    question,
    unit,
    better: 'higher',
    get baseline() {
      return baseline.name
    },
    async setUp() {
      const started = await startServers()
      baseline.name = started.baseline
      for (const { port } of started.servers) {
        await putUnderLoad({ port, path, connections, durationMs: warmUpMs })
      }
      return {
        versions: started.versions,
        contenders: started.servers.map((server) => ({
          name: server.name,
          async measure() {
            const cpuBefore = server.cpuMs()
            const { answers, seconds } = await putUnderLoad({
              port: server.port,
              path,
              connections,
              durationMs,
            })
            const cpu = server.cpuMs() - cpuBefore
            return { value: answers / seconds, beside: { 'CPU µs/answer': (cpu * 1000) / answers } }
          },
        })),
        [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
      }
    },
  }
}
