import { expect, test } from 'vitest'
import { listDue } from '../../src/status/mcp-servers/store.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('a server is due when its interval has passed, and when the clock was set back since the last probe', async () => {
  await using database = await createTestDatabase()
  for (const [name, when] of [
    ['new', null],
    ['just now', '0 s'],
    ['a while ago', '-1 minute'],
    ['in the future', '1 hour'],
  ]) {
    await database.query(
      `
        insert into status_mcp_servers (name, transport, enabled, probed_at)
        values ($1, '{"type": "http", "url": "http://127.0.0.1:9/"}', true, now() + $2::interval)
      `,
      [name, when],
    )
  }
  const due = await listDue(database, { everyMs: 30_000, programEveryMs: 300_000 })
  expect(due.map(({ name }) => name)).toEqual(['new', 'a while ago', 'in the future'])
})
