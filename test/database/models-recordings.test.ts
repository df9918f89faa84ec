import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { firstIdAt } from '#kernel/partitions'
import { createMetrics } from '#kernel/telemetry'
import { createModelsTasks } from '../../src/models/maintenance-tasks.ts'
import type { ModelCall } from '../../src/models/providers/provider.ts'
import {
  type ContentRecorderOptions,
  createContentRecorder,
} from '../../src/models/recording/content-recorder.ts'
import { insertContents } from '../../src/models/recording/content-store.ts'
import { quiet } from './models-accounting.ts'
import { createCallAccountingDatabase } from './models-accounting-database.ts'

const call = (content: string): ModelCall => ({
  model: 'm',
  kind: 'chat',
  messages: [{ role: 'user', content }],
})

function openRecorder(database: Database, bounds: Partial<ContentRecorderOptions> = {}) {
  const metrics = createMetrics({ watchProcess: false })
  const recorder = createContentRecorder({
    database,
    settings: { recording: 'on' },
    log: quiet,
    metrics,
    ...bounds,
  })
  return {
    record(content: string) {
      const id = randomUUIDv7()
      recorder.startChat(call(content), undefined)?.onEnd({ id, accountId: 'ada' })
      return id
    },
    counts: async () =>
      Object.fromEntries(
        [...(await metrics.render()).matchAll(/tutti_models_recordings_total\{result="(\w+)"\} (\d+)/g)].map(
          ([, result, count]) => [result, Number(count)],
        ),
      ),
    close: () => recorder[Symbol.asyncDispose](),
  }
}

describe('the queue of recorded contents', () => {
  test('drops and counts contents beyond its number', async () => {
    await using database = await createCallAccountingDatabase()
    const recorder = openRecorder(database, { maxQueued: 3 })
    const ids = Array.from({ length: 10 }, (_, index) => recorder.record(`number ${index}`))
    await recorder.close()
    expect(await recorder.counts()).toEqual({ written: 3, dropped: 7 })
    const rows = await database.query<{ call_id: string }>(
      'select call_id from model_call_contents order by 1',
    )
    expect(rows.map(({ call_id }) => call_id)).toEqual(ids.slice(0, 3).toSorted())
  })

  test('drops and counts contents beyond its bytes', async () => {
    await using database = await createCallAccountingDatabase()
    const recorder = openRecorder(database, { maxQueuedBytes: 100_000 })
    recorder.record('x '.repeat(40_000))
    recorder.record('y '.repeat(40_000))
    recorder.record('small')
    await recorder.close()
    expect(await recorder.counts()).toEqual({ written: 2, dropped: 1 })
    const rows = await database.query<{ bytes: number }>(
      'select max(length(request::text)) as bytes from model_call_contents',
    )
    expect(Number(rows[0]?.bytes)).toBeLessThan(34_000)
  })

  test('goes on after a failure of the database', async () => {
    await using database = await createCallAccountingDatabase()
    let fails = true
    const failing: Database = {
      ...database,
      query(text, values) {
        return fails ? Promise.reject(new Error('down')) : database.query(text, values)
      },
    }
    const recorder = openRecorder(failing)
    recorder.record('lost')
    await expect.poll(recorder.counts).toEqual({ failed: 1 })
    fails = false
    const id = recorder.record('kept')
    await recorder.close()
    expect(await recorder.counts()).toEqual({ failed: 1, written: 1 })
    expect(await database.query('select call_id from model_call_contents')).toEqual([{ call_id: id }])
  })
})

const day = 86_400_000

const contentOf = (ageMs: number) => ({
  callId: firstIdAt(new Date(Date.now() - ageMs)).replace(/.$/, '1'),
  accountId: 'ada',
  request: { kind: 'chat', parameters: {} },
  response: null,
  truncated: false,
})

test('recorded contents are deleted after their retention', async () => {
  await using database = await createCallAccountingDatabase()
  const [old, recent] = [contentOf(8 * day), contentOf(6 * day)]
  await insertContents(database, [old, recent])
  const settings = { callRetentionMs: 90 * day, recordingRetentionMs: 7 * day }
  const tasks = createModelsTasks({ database, log: quiet, settings })
  await tasks.find(({ name }) => name === 'models.delete-recordings')?.run(new AbortController().signal)
  expect(await database.query('select call_id from model_call_contents')).toEqual([
    { call_id: recent.callId },
  ])
})
