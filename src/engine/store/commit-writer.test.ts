import { expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { JsonText } from '#kernel/json-text'
import type { Commit } from './commit.ts'
import { createCommitWriter } from './commit-writer.ts'

const at = new Date()

function commitOf(output: unknown): Commit {
  return {
    executionId: '0197a3f0-0000-7000-8000-000000000000',
    workerId: '0197a3f0-0000-7000-8000-000000000001',
    fence: 1,
    begins: false,
    startedAt: at,
    isBatch: false,
    hasSubscribers: false,
    steps: [
      {
        stepId: 'one',
        item: 0,
        seq: 1,
        state: 'completed',
        attempts: 1,
        startedAt: at,
        finishedAt: at,
        output,
        choice: null,
        error: null,
        details: {},
        spent: 0,
      },
    ],
    events: [],
    spent: 0,
    reserved: 0,
  }
}

test('a large text is stored as it is', async () => {
  const sizes: number[] = []
  const database = {
    query: async (_text: string, values: readonly unknown[] = []) => {
      sizes.push(values.reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0))
      return [{ nth: 1, cancel: null }]
    },
  }
  await using commits = createCommitWriter(database as unknown as Pick<Database, 'query'>, {
    store: async (_id, output) => output,
  })
  const text = new JsonText(`[${' '.repeat(300_000)}"é"]`)
  await commits.write(commitOf(text))
  expect(sizes[0]).toBeGreaterThan(text.bytes)
  expect(sizes[0]).toBeLessThan(text.bytes + 1000)
})
