import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStartQueue } from '../../src/engine/gates/start-queue.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('a start that PostgreSQL refuses fails alone, and not the others of its transaction', async () => {
  await using database = await createTestDatabase()
  await using starts = createStartQueue({ database, onOpened: async () => {} })
  const start = (accountId: string) =>
    starts.start(
      {
        id: randomUUID(),
        flowId: 'flow',
        flowVersion: 1,
        accountId,
        maxActive: 10,
        priority: 'normal',
        input: { context: {}, options: {}, memory: {} },
        needsApproval: false,
        scheduleId: undefined,
      },
      { concurrencyKey: 'flow', throttleKey: null, debounce: null },
    )
  // The first start has a transaction of its own; the others wait for it, and share the next one.
  const results = await Promise.allSettled([
    start(randomUUID()),
    start(randomUUID()),
    start('no account'),
    start(randomUUID()),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await database.query('select count(*)::integer as count from engine_executions')).toEqual([
    { count: 3 },
  ])
})
