import { migrate } from '#kernel/database'
import { orchestraMigrations } from '#orchestra'
import { migrationSets } from '../../src/app/migrations.ts'
import type { Benchmark } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { createStreamStage } from './stage.ts'

const streams = Number(process.env['STREAMS'] ?? 5000)
const manyEvents = 20

const benchmark: Benchmark = {
  question: `How long until ${streams} streams on one process have heard of an event, and of ${manyEvents} at once?`,
  unit: 'ms until the last has it',
  better: 'lower',
  baseline: 'one event, bare responses of node:http',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database, url } = closing.use(await openBenchDatabase())
    await migrate(database, [...new Set([...migrationSets, orchestraMigrations])], quiet)
    const bare = closing.use(
      createStreamStage({
        serverFile: new URL('./bare-server-process.ts', import.meta.url),
        path: '/',
        streams,
      }),
    )
    const live = closing.use(
      createStreamStage({
        serverFile: new URL('./live-server-process.ts', import.meta.url),
        path: '/ai-orchestra/api/live-stream',
        streams,
        env: { DATABASE_URL: url },
      }),
    )
    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        { name: 'one event, bare responses of node:http', measure: () => bare.measure(1) },
        { name: 'one event, live stream', measure: () => live.measure(1) },
        { name: `${manyEvents} events, bare responses`, measure: () => bare.measure(manyEvents) },
        { name: `${manyEvents} events, live stream`, measure: () => live.measure(manyEvents) },
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
