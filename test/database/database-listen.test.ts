import { expect, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('every listener of a channel receives its messages, and no others', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const [one, two, other] = [
    vi.fn<(payload: string) => void>(),
    vi.fn<(payload: string) => void>(),
    vi.fn<(payload: string) => void>(),
  ]
  await database.listen('Some "channel"', one)
  await database.listen('Some "channel"', two)
  await database.listen('other', other)

  await database.query('select pg_notify($1, $2)', ['Some "channel"', 'hello'])
  await database.query('select pg_notify($1, $2)', ['other', ''])
  await eventually(() => other.mock.calls.length === 1)

  expect(one.mock.calls).toEqual([['hello']])
  expect(two.mock.calls).toEqual([['hello']])
  expect(other.mock.calls).toEqual([['']])
})

test('a disposed listener receives nothing more, while another on its channel does', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const [left, stayed] = [vi.fn<(payload: string) => void>(), vi.fn<(payload: string) => void>()]
  const leaving = await database.listen('news', left)
  await database.listen('news', stayed)

  await leaving[Symbol.asyncDispose]()
  await database.query(`select pg_notify('news', 'late')`)
  await eventually(() => stayed.mock.calls.length === 1)
  expect(left).not.toHaveBeenCalled()
})

test('a handler that throws does not stop the others', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const heard = vi.fn<(payload: string) => void>()
  await database.listen('news', () => {
    throw new Error('a handler of this test that fails')
  })
  await database.listen('news', heard)
  await database.query(`select pg_notify('news', 'hello')`)
  await eventually(() => heard.mock.calls.length === 1)
})

test('after a lost connection the gap is reported once, and messages arrive again', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const heard = vi.fn<(payload: string) => void>()
  const onGap = vi.fn<() => void>()
  await database.listen('news', heard, onGap)

  await database.query(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `)
  await eventually(() => onGap.mock.calls.length > 0)
  await database.query(`select pg_notify('news', 'hello again')`)
  await eventually(() => heard.mock.calls.length === 1)
  expect(onGap).toHaveBeenCalledTimes(1)
})

test('a subscription made during a reconnect is active', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const heard = vi.fn<(payload: string) => void>()
  await database.listen('early', () => {})
  await database.query(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `)
  await database.listen('late', heard)
  await database.query(`select pg_notify('late', 'hello')`)
  await eventually(() => heard.mock.calls.length === 1)
})
