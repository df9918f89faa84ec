import { expect, test } from 'vitest'
import { openNotificationsDatabase } from './notifications-setting.ts'
import { makeNotifications } from './notifications-worker.ts'

test('finished notifications expire, and undeliverable ones a day later', async () => {
  await using database = await openNotificationsDatabase()
  const { tasks } = makeNotifications(database, { environment: { TUTTI_NOTICE_RETENTION: '2d' } })
  const add = (recipient: string, state: string, age: string) =>
    database.query(
      `
        insert into notices (kind, recipient, subject, body, about, state, created_at, finished_at, work_state)
        values ('mail', $1, 'x', 'x', 'x', $2, now() - $3::interval,
          case when $2 <> 'pending' then now() - $3::interval end,
          case when $2 <> 'pending' then 'finished' else 'queued' end)
      `,
      [recipient, state, age],
    )
  await add('old', 'delivered', '49 hours')
  await add('given up', 'given_up', '49 hours')
  await add('new', 'delivered', '47 hours')
  await add('waits', 'pending', '71 hours')
  await add('stranded', 'pending', '73 hours')
  await add('many', 'delivered', '60 hours')
  await database.query(`
    insert into notices (kind, recipient, body, about, state, finished_at, work_state)
    select 'slack', 'many', 'x', 'x', 'delivered', now() - interval '3 days', 'finished' from generate_series(1, 2500)
  `)
  for (const task of tasks) await task.run(new AbortController().signal)
  const left = await database.query<{ recipient: string }>('select recipient from notices order by recipient')
  expect(left.map(({ recipient }) => recipient)).toEqual(['new', 'waits'])
})
