import type { Benchmark, Contender } from '../benchmark.ts'
import type { Kind } from './kind.ts'
import { callbacks } from './kinds/callbacks.ts'
import { eventTriggers } from './kinds/event-triggers.ts'
import { expressions } from './kinds/expressions.ts'
import { largeResults } from './kinds/large-results.ts'
import { modelBodies } from './kinds/model-bodies.ts'
import { queue } from './kinds/queue.ts'
import { synchronousCallers } from './kinds/synchronous-callers.ts'
import { createContenders, nameAlone, nameBeside } from './measure-kind.ts'
import { openPlatform, startChild } from './open-platform.ts'
import { startReceiver } from './receiver.ts'

const kinds = chooseKinds([
  expressions,
  eventTriggers,
  callbacks,
  queue,
  synchronousCallers,
  largeResults,
  modelBodies,
])
const baselines = new Map(kinds.map((kind) => [nameBeside(kind), nameAlone(kind)]))

const benchmark: Benchmark = {
  question: 'How long does the normal work of one account take beside another account that abuses one thing?',
  unit: 'ms, p95',
  better: 'lower',
  baseline: 'each kind, alone',
  baselineOf: (contender) => baselines.get(contender) ?? contender,

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const [, port] = await startChild<number>(closing, new URL('./services-process.ts', import.meta.url))
    const [abuser] = await startChild<'ready'>(closing, new URL('./abuser-process.ts', import.meta.url))
    const receiver = closing.use(await startReceiver())
    const contenders: Contender[] = []
    const versions: Record<string, string> = {}
    // One after the other: a start uses all of a small machine.
    for (const kind of kinds) {
      const servicesUrl = `http://127.0.0.1:${port}`
      const platform = closing.use(await openPlatform(servicesUrl, kind.settings))
      versions['PostgreSQL'] = platform.database.version
      contenders.push(...(await createContenders(kind, { platform, receiver, abuser })))
    }
    const opened = closing.move()
    return { versions, contenders, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  },
}

/** The kinds that KIND names, separated by commas, or all. */
function chooseKinds(all: readonly Kind[]): readonly Kind[] {
  const chosen = process.env['KIND']?.split(',').map((name) => name.trim()) ?? all.map(({ name }) => name)
  return chosen.map((name) => {
    const kind = all.find((one) => one.name === name)
    if (kind !== undefined) return kind
    throw new Error(`KIND: "${name}" is not one of: ${all.map((one) => one.name).join(', ')}`)
  })
}

export default benchmark
