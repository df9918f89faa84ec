import type { Benchmark } from '../benchmark.ts'
import { timeFirstTokens } from '../cluster/load.ts'
import { startServers } from '../cluster/servers.ts'
import { percentile } from '../summary.ts'

const times = 400

const benchmark: Benchmark = {
  question: 'How long does the first token take?',
  unit: 'ms, p50',
  better: 'lower',
  baseline: 'the node directly',
  async setUp() {
    const started = await startServers()
    return {
      versions: started.versions,
      contenders: started.servers.map(({ name, port }) => ({
        name,
        async measure() {
          const taken = await timeFirstTokens(port, '/api/generate', times)
          return { value: percentile(taken, 0.5), beside: { 'ms, p99': percentile(taken, 0.99) } }
        },
      })),
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    }
  },
}

export default benchmark
