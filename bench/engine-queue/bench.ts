import type { Benchmark, Contender } from '../benchmark.ts'
import { type ContenderProcess, startContenders } from '../engine/contenders.ts'
import { percentile } from '../summary.ts'

function contender(
  name: string,
  process: ContenderProcess,
  { samples, maxPauseMs }: { readonly samples: number; readonly maxPauseMs: number },
): Contender {
  return {
    name,
    async measure() {
      const { waitsMs } = await process.ask<{ readonly waitsMs: readonly number[] }>({
        kind: 'waits',
        samples,
        maxPauseMs,
      })
      return { value: percentile(waitsMs, 0.5), beside: { 'p99 ms': percentile(waitsMs, 0.99) } }
    },
  }
}

const benchmark: Benchmark = {
  question: 'How long from adding an execution to the beginning of its first step?',
  unit: 'p50 ms',
  better: 'lower',
  baseline: 'Tutti',

  async setUp() {
    const contenders = await startContenders()
    const { ours, dbos, restate, versions } = contenders
    return {
      versions,
      contenders: [
        contender('Tutti', ours, { samples: 200, maxPauseMs: 20 }),
        // DBOS polls its queues once a second.
        ...(dbos === undefined ? [] : [contender('DBOS', dbos, { samples: 15, maxPauseMs: 1000 })]),
        ...(restate === undefined ? [] : [contender('Restate', restate, { samples: 200, maxPauseMs: 20 })]),
      ],
      [Symbol.asyncDispose]: () => contenders[Symbol.asyncDispose](),
    }
  },
}

export default benchmark
