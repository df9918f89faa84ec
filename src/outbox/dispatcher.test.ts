import { expect, test } from 'vitest'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createDispatcher } from './dispatcher.ts'
import { unknownEstimate } from './event-mapper.ts'

test('entries are dispatched while a turn of a publisher takes long', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  let drained = 0
  const listeners: (() => void)[] = []
  const dispatcher = createDispatcher({
    engine: { executions: undefined as never },
    outbox: {
      async drain() {
        drained += 1
        return { count: 0, failed: [] }
      },
      onEntriesAdded(listener) {
        listeners.push(listener)
        return { [Symbol.dispose]: () => {} }
      },
    },
    webhooks: { publish: async () => 0 },
    subscribers: { wantedOf: async () => new Map() },
    estimate: async () => unknownEstimate,
    publishers: [
      {
        turns: [
          async () => {
            begin()
            await isReleased
          },
        ],
      },
    ],
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
  })
  await hasBegun
  const before = drained
  for (const listener of listeners) listener()
  await expect.poll(() => drained).toBeGreaterThan(before)
  release()
  await dispatcher[Symbol.asyncDispose]()
})
