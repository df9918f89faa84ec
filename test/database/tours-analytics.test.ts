import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordEvents } from '../../src/tours/analytics/event-route.ts'
import { builderPath, startToursServer, type ToursServer, userWithRole } from '../http/tours-server.ts'

let server: ToursServer
let tour: string

beforeAll(async () => {
  server = await startToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  tour = (await server.make({ label: 'Kept' })).id
  for (const title of ['A', 'B']) await server.addStep(tour, { title })
  await server.put(`/${tour}`, { status: true }, { as: userWithRole('editor') })
})

async function tell(...events: readonly object[]): Promise<void> {
  const answer = await server.post(`${builderPath}/${tour}/event`, { events }, { as: '' })
  expect(answer.status).toBe(202)
}

/** Runs the task that a worker runs each minute. */
async function settle(): Promise<void> {
  const task = server.tours.tasks.find(({ name }) => name === 'tours.settle_plays')
  await task?.run(new AbortController().signal)
}

async function age(play: string, interval: string): Promise<void> {
  await server.database.query(`update tour_plays set last_at = now() - $2::interval where play = $1`, [
    play,
    interval,
  ])
}

async function steps(timeframe = 'all') {
  const { body } = await server.call(`/${tour}/analytics?timeframe=${timeframe}`, {
    as: userWithRole('analyst'),
  })
  return body.steps as { id: string; views: number; drop_offs: number }[]
}

async function countPlays(): Promise<number> {
  const rows = await server.database.query('select from tour_plays where tour_id = $1', [tour])
  return rows.length
}

test('a visitor silent for half an hour has left, on the day of the last event', async () => {
  const play = randomUUID()
  await tell({ event: 'step_view', step_id: 'b', play })
  await age(play, '29 minutes')
  await settle()
  expect((await steps()).map(({ drop_offs }) => drop_offs)).toEqual([0, 0])
  await age(play, '3 days')
  await settle()
  await settle()
  expect((await steps()).map(({ drop_offs }) => drop_offs)).toEqual([0, 1])
  const [row] = await server.database.query<{ ago: number }>(
    `select (now() at time zone 'utc')::date - day as ago from tour_step_days where tour_id = $1 and drop_offs = 1`,
    [tour],
  )
  expect(row?.ago).toBe(3)
})

test('a visitor who comes back has not left', async () => {
  const play = randomUUID()
  await tell({ event: 'step_view', step_id: 'a', play })
  await age(play, '2 hours')
  await settle()
  expect((await steps())[0]?.drop_offs).toBe(1)
  await tell({ event: 'step_complete', step_id: 'a', play }, { event: 'step_view', step_id: 'b', play })
  expect((await steps()).map(({ drop_offs }) => drop_offs)).toEqual([0, 0])
  await tell({ event: 'dismiss', play })
  expect((await steps()).map(({ drop_offs }) => drop_offs)).toEqual([0, 1])
})

test('plays expire after 90 days, and their counts stay', async () => {
  const [old, young] = [randomUUID(), randomUUID()]
  await tell({ event: 'dismiss', step_id: 'a', play: old }, { event: 'dismiss', step_id: 'a', play: young })
  await age(old, '91 days')
  await age(young, '89 days')
  await settle()
  expect(await countPlays()).toBe(1)
  expect((await steps())[0]).toMatchObject({ views: 2, drop_offs: 2 })
})

test('an old unsettled play is settled before it is deleted', async () => {
  const play = randomUUID()
  await tell({ event: 'step_view', step_id: 'a', play })
  await age(play, '100 days')
  await settle()
  expect(await countPlays()).toBe(0)
  expect((await steps())[0]?.drop_offs).toBe(1)
})

test('the same event in many concurrent transactions counts once', async () => {
  const play = randomUUID()
  await tell({ event: 'view', play })
  const seen = { event: 'step_view', stepId: 'a', play, duration: null, at: new Date() } as const
  const watched = { id: tour, tips: [{ id: 'a', weight: 1 }] }
  await Promise.all(Array.from({ length: 8 }, () => recordEvents(server.database, watched, [seen])))
  expect((await steps())[0]?.views).toBe(1)
})

test('deleting a tour deletes its statistics', async () => {
  await tell({ event: 'step_view', step_id: 'a', play: randomUUID() })
  await server.delete(`/${tour}`)
  for (const table of ['tour_plays', 'tour_days', 'tour_step_days']) {
    expect(await server.database.query(`select from ${table} where tour_id = $1`, [tour])).toEqual([])
  }
})

test('many concurrent visitors, beside an editor and the settling task, are all counted', async () => {
  const plays = Array.from({ length: 40 }, () => randomUUID())
  await Promise.all([
    ...plays.map((play) =>
      tell(
        { event: 'view', play },
        { event: 'step_complete', step_id: 'b', play },
        { event: 'step_view', step_id: 'a', play },
        { event: 'complete', play, duration: 2 },
      ),
    ),
    ...[1, 2, 3, 4].map((n) =>
      server.put(`/${tour}`, { label: `Edited ${n}` }, { as: userWithRole('editor') }),
    ),
    settle(),
  ])
  const { body } = await server.call(`/${tour}/analytics`, { as: userWithRole('analyst') })
  expect(body.totals).toMatchObject({ views: 40, starts: 40, completions: 40, average_duration: 2 })
  expect(body.steps).toMatchObject([{ views: 40 }, { views: 40, completions: 40 }])
})
