import { expect, test } from 'vitest'
import { send } from '../support/calls.ts'
import { patience } from '../support/patience.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'

const lockKey = 4711

test(
  'a platform that is killed between start and delivery starts nothing twice',
  async () => {
    await using database = await createTestDatabase()
    const environment = {
      DATABASE_URL: database.url,
      TUTTI_SECRET: 'a secret that only tests know, and long enough',
    }
    let path: string
    let executionId: string
    {
      await using platform = await startPlatform(environment)
      const created = await send(`${platform.url}/ai-workflows/api/triggers`, {
        method: 'POST',
        headers: basicAuth(platform),
        body: {
          kind: 'webhook',
          flow_id: 'content_quality_review',
          verification: { type: 'none' },
          input: { content: '{{body.text}}' },
          delivery_id: '{{body.id}}',
        },
      })
      expect(created.status, created.text).toBe(201)
      path = new URL(created.body.url as string).pathname
      // The update of the delivery waits for this lock, which the test holds: the execution is stored, its delivery is not yet.
      await database.query(`
      create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${lockKey}); return new; end $$
    `)
      await database.query(
        "create trigger wait_for_test before update on trigger_deliveries for each row when (new.outcome = 'started') execute function wait_for_test()",
      )
      const readWaiting = () =>
        database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        )
      // A session, because the server ends a transaction that is idle for ten seconds.
      await database.withSession(async (session) => {
        await session.query(`select pg_advisory_lock(${lockKey})`)
        const lost = send(`${platform.url}${path}`, {
          method: 'POST',
          body: { id: 'one', text: 'A text.' },
        }).catch(() => 'the connection was lost')
        await expect.poll(readWaiting).toHaveLength(1)
        expect(await database.query('select id from engine_executions')).toHaveLength(1)
        await platform.process.kill('SIGKILL')
        expect(await lost).toBe('the connection was lost')
        // The database ends the statement of a lost client only when it sends something: as if the statement had never arrived.
        await database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        )
      })
      const [execution] = await database.query<{ id: string }>('select id from engine_executions')
      executionId = execution?.id ?? ''
      const [delivery] = await database.query('select outcome, execution_id from trigger_deliveries')
      expect(delivery).toEqual({ outcome: 'received', execution_id: null })
    }
    await database.query('drop trigger wait_for_test on trigger_deliveries')
    await using platform = await startPlatform(environment)
    const again = () =>
      send(`${platform.url}${path}`, { method: 'POST', body: { id: 'one', text: 'A text.' } })
    for (const answer of [await again(), await again()]) {
      expect([answer.status, answer.body.execution_id]).toEqual([202, executionId])
    }
    const [count] = await database.query<{ count: number }>(
      'select count(*)::integer as count from engine_executions',
    )
    expect(count?.count).toBe(1)
  },
  180_000 * patience,
)
