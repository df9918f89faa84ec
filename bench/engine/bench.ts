import type { Benchmark, Contender } from '../benchmark.ts'
import type { Throughput } from './contender-process.ts'
import { type ContenderProcess, startContenders } from './contenders.ts'

const forMs = 2000

/** More queued executions than run concurrently, so that the queue is never empty. */
const sideBySide = { start: 50, outside: 50, enqueue: 200 } as const

const benchmark: Benchmark = {
  question: 'How many durable five-step executions per second?',
  unit: 'executions/s',
  better: 'higher',
  baseline: 'Tutti, steps that compute',

  async setUp() {
    const contenders = await startContenders()
    const { ours, dbos, restate, versions } = contenders
    /** The last result of each contender: a ratio compares two numbers of one round. */
    const latest = new Map<string, number>()

    function contender(name: string, process: ContenderProcess, way: keyof typeof sideBySide): Contender {
      return {
        name,
        async measure() {
          const before = process.processorMs()
          const { runs, seconds } = await process.ask<Throughput>({
            kind: 'throughput',
            way,
            concurrency: sideBySide[way],
            forMs,
          })
          const after = process.processorMs()
          const value = runs / seconds
          latest.set(name, value)
          return {
            value,
            beside: {
              ...(dbos !== undefined && { 'times DBOS': value / (latest.get('DBOS') ?? Number.NaN) }),
              ...(restate !== undefined && {
                'times Restate': value / (latest.get('Restate') ?? Number.NaN),
              }),
              'Node CPU ms': (after.node - before.node) / runs,
              'server CPU ms': (after.server - before.server) / runs,
            },
          }
        },
      }
    }

    return {
      versions,
      contenders: [
        contender('Tutti, steps that compute', ours, 'start'),
        contender('Tutti, steps that reach outside', ours, 'outside'),
        contender('Tutti, from the queue', ours, 'enqueue'),
        ...(dbos === undefined ? [] : [contender('DBOS', dbos, 'start')]),
        ...(restate === undefined ? [] : [contender('Restate', restate, 'start')]),
      ],
      [Symbol.asyncDispose]: () => contenders[Symbol.asyncDispose](),
    }
  },
}

export default benchmark
