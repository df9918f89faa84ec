import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Outcome, runTutti } from '../process/run-tutti.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
/** Lets a retried test add the same account. */
beforeEach(() => database.query('delete from identity_users'))

const tutti = (args: readonly string[], input = ''): Promise<Outcome> =>
  runTutti(args, { env: { DATABASE_URL: database.url }, input })

test('A password is passed as a command-line argument', async () => {
  for (const args of [
    ['user', 'add', 'seen', '--password', 'on the command line'],
    ['user', 'add', 'seen', 'on the command line'],
    ['user', 'password', 'seen', '--password=on the command line'],
  ]) {
    const { code, stdout } = await tutti(args)
    expect([code, stdout], args.join(' ')).toEqual([1, ''])
  }
  expect(await database.query('select from identity_users')).toEqual([])
})

test('A username or a scope at the terminal contains SQL or an option', async () => {
  for (const name of [`x'; drop table identity_users; --`, '--role=administrator', '<b>']) {
    const { code, stdout } = await tutti(['user', 'add', name, '--password-stdin'], 'long enough\n')
    expect([code, stdout], name).toEqual([1, ''])
  }
  const added = await tutti(['user', 'add', 'plain', '--password-stdin'], 'long enough\n')
  expect([added.code, added.stdout]).toEqual([0, ''])
  const key = ['key', 'create', '--user', 'plain', '--name', 'x', '--scope']
  for (const scope of ['administer users', `' or 1=1`]) {
    const { code, stdout } = await tutti([...key, scope])
    expect([code, stdout], scope).toEqual([1, ''])
  }
})

test('A change at the terminal leaves no audit record', async () => {
  await tutti(['user', 'add', 'told', '--password-stdin'], 'long enough\n')
  await tutti(['user', 'password', 'told', '--password-stdin'], 'another password\n')
  await tutti(['user', 'disable', 'told'])
  const events = await database.query<{ type: string; data: Record<string, unknown> }>(
    `select event.type, event.data from kernel_events as event
     join identity_users as account on account.id::text = event.account::text and account.username = 'told'
     order by event.id`,
  )
  expect(events.map(({ type }) => type)).toEqual([
    'identity.account_created',
    'identity.password_changed',
    'identity.account_changed',
  ])
  for (const { data } of events) expect(data).toMatchObject({ by: null, via: 'terminal' })
  expect(JSON.stringify(events)).not.toMatch(/long enough|another password/)
})
