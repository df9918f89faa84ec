import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCallers } from '../support/accounts.ts'
import { type Calls, createCalls } from '../support/calls.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const permissionsOf = {
  ada: ['administer users'],
  olga: ['administer llm'],
  nora: ['run workflows'],
  otto: ['run workflows'],
  rosa: ['run workflows'],
  gone: ['run workflows'],
}

let platform: PlatformInProcess
let database: TestDatabase
let calls: Calls
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  database = stack.use(await createTestDatabase())
  platform = stack.use(await openPlatform({}, { role: 'api', database }))
  const callers = await addCallers(database, { permissionsOf })
  calls = createCalls({
    urlOf: (path) => `${platform.url}${path}`,
    headersOf: callers.headersOf,
    as: 'ada',
  })
  await database.query(`update identity_users set tier = 'basic' where username in ('nora', 'otto', 'gone')`)
  await database.query(`update identity_users set tier = 'professional' where username = 'rosa'`)
  const spend = (username: string, spent: number, reserved: number) =>
    database.query(
      `
        insert into model_spend_scopes (scope, period, spent, reserved)
        select 'account:' || id, model_spend_period('day', now()), $2, $3 from identity_users where username = $1
      `,
      [username, spent, reserved],
    )
  // A basic account has a dollar a day, a professional one ten.
  await spend('otto', 600_000, 350_000)
  await spend('rosa', 7_900_000, 0)
  await spend('gone', 1_000_000, 0)
  await database.query(`update identity_users set disabled_at = now() where username = 'gone'`)
})
afterAll(() => stack.disposeAsync())

test('accounts near a limit of their tier are listed for administrators of accounts, the nearest first', async () => {
  // A basic account has 100 requests an hour; a refused body counts.
  for (let sent = 0; sent < 82; sent += 1) {
    const { status } = await calls.call('/ai-workflows/api/execute-flow', {
      method: 'POST',
      body: {},
      as: 'nora',
    })
    expect(status).toBe(400)
  }
  for (const as of ['olga', 'nora']) {
    expect((await calls.call('/api/v1/accounts-near-limit', { as })).status).toBe(403)
  }
  const { status, body } = await calls.call('/api/v1/accounts-near-limit')
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({
    accounts: [
      {
        username: 'otto',
        tier: 'basic',
        budget: { used: 0.95, limit: 1, percentage: 95 },
        requests: { used: 0, limit: 100, percentage: 0 },
      },
      {
        username: 'nora',
        tier: 'basic',
        budget: { used: 0, limit: 1, percentage: 0 },
        requests: { used: 82, limit: 100, percentage: 82 },
      },
    ],
    total: 2,
    complete: true,
  })
})
