import { describe, expect, test, vi } from 'vitest'
import { startReceiver } from '../database/webhooks-receiver.ts'
import { openWebhooksDatabase } from '../database/webhooks-setting.ts'
import { makeWebhooks, subscribeAtOnce } from '../database/webhooks-worker.ts'
import { patience } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'

const file = new URL('./webhooks-worker-process.ts', import.meta.url)

/** `WEBHOOKS_DUE=1000` runs the full size. */
const due = Number(process.env['WEBHOOKS_DUE'] ?? 200)
const perSubject = 4

describe('webhooks', () => {
  test('all arrive, each subject in order, though the process is killed repeatedly', async () => {
    await using database = await openWebhooksDatabase()
    await using receiver = await startReceiver()
    const webhooks = makeWebhooks(database)
    const accountId = await subscribeAtOnce(database, webhooks, receiver.url)
    const startWorker = async () => {
      const worker = await startProcess({ file, env: { DATABASE_URL: database.url } })
      await worker.waitForLine(/^ready/)
      return worker
    }
    const events = Array.from({ length: due }, (_, n) => ({
      event: 'execution.progress',
      subject: `execution ${Math.floor(n / perSubject)}`,
      accountId,
      data: { n },
    }))
    expect(await webhooks.publish(database, events)).toBe(due)

    // Two workers are killed: the second while it has the rows of the first one.
    for (const share of [0.1, 0.5]) {
      await using worker = await startWorker()
      await vi.waitUntil(() => new Set(numbersIn(receiver.events)).size >= due * share, {
        timeout: 30_000 * patience,
        interval: 10,
      })
      await worker.kill('SIGKILL')
    }
    expect(new Set(numbersIn(receiver.events)).size).toBeLessThan(due)
    await using last = await startWorker()
    const countLeft = async () => {
      const [row] = await database.query<{ count: number }>(
        `select count(*) from webhook_deliveries where state <> 'delivered'`,
      )
      return row?.count
    }
    await vi.waitUntil(async () => (await countLeft()) === 0, { timeout: 60_000 * patience, interval: 100 })

    expect(last.stderr).toEqual([])
    const numbers = numbersIn(receiver.events)
    expect(new Set(numbers)).toEqual(new Set(events.map(({ data }) => data.n)))
    // Only those in flight when their process died arrive twice.
    expect(numbers.length).toBeLessThanOrEqual(due + 2 * 50)
    for (let subject = 0; subject < due / perSubject; subject += 1) {
      const firsts = [...new Set(numbers.filter((n) => Math.floor(n / perSubject) === subject))]
      expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
    }
    const ids = new Map(receiver.events.map(({ body, headers }) => [body.data.n, headers['webhook-id']]))
    expect(new Set(ids.values()).size).toBe(due)
  })
})

function numbersIn(
  events: readonly { readonly body: { readonly data: { readonly n: number } } }[],
): number[] {
  return events.map(({ body }) => body.data.n)
}
