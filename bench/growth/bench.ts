import type { Benchmark, Contender } from '../benchmark.ts'
import { percentile } from '../summary.ts'
import { openLoaded } from './open-loaded.ts'
import { type createCaller, pause, type Question } from './questions.ts'

const many = Number(process.env['EXECUTIONS'] ?? 10_000_000)
const sizes = [10_000, many] as const
const answersOfEach = 15

const nameOf = (question: string, count: number) => `${question}, ${count.toLocaleString('en')}`

/** Sequential requests; the value is their median. */
function createContender(
  { name, path, body }: Question,
  count: number,
  call: ReturnType<typeof createCaller>,
): Contender {
  return {
    name: nameOf(name, count),
    async measure() {
      const took: number[] = []
      for (let index = 0; index < answersOfEach; index += 1) {
        await pause()
        const startedAt = performance.now()
        await call(path, body)
        took.push(performance.now() - startedAt)
      }
      return { value: percentile(took, 0.5), beside: { 'p95 ms': percentile(took, 0.95) } }
    },
  }
}

const benchmark: Benchmark = {
  question: `How much longer do requests take with ${many.toLocaleString('en')} stored executions than with 10,000?`,
  unit: 'ms p50',
  better: 'lower',
  baseline: nameOf('start', sizes[0]),
  baselineOf: (contender) => contender.replace(/, [\d,]+$/, `, ${sizes[0].toLocaleString('en')}`),

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const few = closing.use(await openLoaded(sizes[0]))
    const large = closing.use(await openLoaded(sizes[1]))
    const opened = closing.move()
    return {
      versions: { PostgreSQL: few.database.version },
      contenders: few.questions.flatMap((question, index) => [
        createContender(question, sizes[0], few.call),
        createContender(large.questions[index] ?? question, sizes[1], large.call),
      ]),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
