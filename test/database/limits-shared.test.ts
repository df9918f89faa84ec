import { describe, expect, test } from 'vitest'
import { deleteExpiredLimits, type Taken } from '#kernel/limits'
import { eventually } from '../support/eventually.ts'
import { connectAgain, countAllowed, openLimitsScene, takeTimes } from './limits-setting.ts'

const anHour = 3600

describe('a limit that replicas share', () => {
  test.each([1, 3, 10, 100, 777])('of %i is met exactly by four concurrent replicas', async (limit) => {
    await using scene = await openLimitsScene()
    const rule = { limit, windowSeconds: anHour }
    const replicas = Array.from({ length: 4 }, () => scene.startReplica())
    const each = await Promise.all(
      replicas.flatMap((replica) =>
        Array.from({ length: 5 }, () => takeTimes(replica, Math.ceil(limit / 4), rule)),
      ),
    )
    expect(countAllowed(each.flat())).toBe(limit)
  })

  test('is met exactly by bursts on separate pools', async () => {
    await using scene = await openLimitsScene()
    await using other = await connectAgain(scene.database.url)
    const rule = { limit: 500, windowSeconds: anHour }
    const replicas = [scene.startReplica(), scene.startReplica({ database: other })]
    const burst = ({ limiter }: (typeof replicas)[number]) =>
      Array.from({ length: 600 }, () => limiter.take('someone', rule))
    expect(countAllowed(await Promise.all(replicas.flatMap(burst)))).toBe(500)
  })

  test('applies to each of many keys that replicas request in different orders', async () => {
    await using scene = await openLimitsScene()
    const rule = { limit: 20, windowSeconds: anHour }
    const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`)
    const admitted = new Map<string, number>()
    const ask = async (order: readonly string[]) => {
      const { limiter } = scene.startReplica()
      // Each requests until it is refused, so that no replica keeps a permit.
      for (let round = 0; round < 25; round += 1) {
        const taken = await Promise.all(order.map((key) => limiter.take(key, rule)))
        for (const [index, { allowed }] of taken.entries()) {
          const key = order[index] ?? ''
          admitted.set(key, (admitted.get(key) ?? 0) + Number(allowed))
        }
      }
    }
    await Promise.all([ask(keys), ask(keys.toReversed()), ask([...keys.slice(30), ...keys.slice(0, 30)])])
    expect([...admitted.values()]).toEqual(keys.map(() => 20))
  })

  test('leaves few permits on an idle replica', async () => {
    await using scene = await openLimitsScene()
    const rule = { limit: 100, windowSeconds: anHour }
    const [left, busy] = [scene.startReplica(), scene.startReplica()]
    const before = countAllowed(await takeTimes(left, 4, rule))
    const after = countAllowed(await takeTimes(busy, 120, rule))
    expect(before + after).toBeLessThanOrEqual(100)
    // It has leased no more than it has admitted.
    expect(before + after).toBeGreaterThanOrEqual(96)
  })

  test('gets the unused permits of a closing replica back', async () => {
    await using scene = await openLimitsScene()
    const rule = { limit: 100, windowSeconds: anHour }
    const [left, busy] = [scene.startReplica(), scene.startReplica()]
    await takeTimes(left, 20, rule)
    await left.limiter.close()
    expect(countAllowed(await takeTimes(busy, 100, rule))).toBe(80)
    await expect(left.limiter.take('someone', rule)).rejects.toMatchObject({ code: 'shutting_down' })
  })

  test('gets permits leased under another limit back', async () => {
    await using scene = await openLimitsScene()
    const replica = scene.startReplica()
    const before = countAllowed(await takeTimes(replica, 20, { limit: 100, windowSeconds: anHour }))
    const after = countAllowed(await takeTimes(replica, 150, { limit: 120, windowSeconds: anHour }))
    expect(before + after).toBe(120)
  })

  test('loses nothing to a limit that changes back and forth, also during a shared request', async () => {
    await using scene = await openLimitsScene()
    const { limiter } = scene.startReplica()
    const rules = [300, 301].map((limit) => ({ limit, windowSeconds: anHour }))
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        limiter.take('someone', rules[index % 2] ?? { limit: 0, windowSeconds: anHour }),
      ),
    )
    for (let round = 0; round < 60; round += 1)
      for (const rule of rules) taken.push(await limiter.take('someone', rule))
    expect(countAllowed(taken)).toBe(301)
  })

  test('gets no permits back in a later window than the one they were leased in', async () => {
    await using scene = await openLimitsScene()
    const replica = scene.startReplica()
    await takeTimes(replica, 20, { limit: 100, windowSeconds: anHour })
    await replica.limiter.peek('someone', { limit: 100, windowSeconds: anHour })
    await scene.database.query(`update kernel_limits set used = 50, ends_at = ends_at + interval '1 hour'`)
    await replica.limiter.close()
    expect(await scene.database.query('select used from kernel_limits')).toEqual([{ used: 50 }])
  })

  test('is reported alike by all: one end of the window, fewer left each time', async () => {
    await using scene = await openLimitsScene()
    const rule = { limit: 30, windowSeconds: anHour }
    const [one, two] = [scene.startReplica(), scene.startReplica()]
    const [first] = await takeTimes(one, 1, rule)
    const taken = await takeTimes(one, 9, rule)
    expect(taken.map(({ remaining }) => remaining)).toEqual([28, 27, 26, 25, 24, 23, 22, 21, 20])
    const [elsewhere] = await takeTimes(two, 1, rule)
    expect(elsewhere?.resetsAt).toEqual(first?.resetsAt)
    expect(elsewhere?.limit).toBe(30)
    const [row] = await scene.database.query<{ now: Date }>('select now()')
    const left = ((first?.resetsAt.getTime() ?? 0) - (row?.now.getTime() ?? 0)) / 1000
    expect(left).toBeGreaterThan(anHour - 60)
    expect(left).toBeLessThanOrEqual(anHour)
  })

  test('can be read without being used', async () => {
    await using scene = await openLimitsScene()
    const rule = { limit: 50, windowSeconds: anHour }
    const replica = scene.startReplica()
    expect(await replica.limiter.peek('someone', rule)).toMatchObject({ limit: 50, remaining: 50 })
    const last = (await takeTimes(replica, 17, rule)).at(-1)
    const seen = await replica.limiter.peek('someone', rule)
    expect(seen).toMatchObject({ limit: 50, remaining: 33, resetsAt: last?.resetsAt })
    expect(await replica.limiter.peek('someone', rule)).toMatchObject({ remaining: 33 })
    await takeTimes(replica, 40, rule)
    expect(await scene.startReplica().limiter.peek('someone', rule)).toMatchObject({ remaining: 0 })
  })

  test('that is changed counts the earlier use', async () => {
    await using scene = await openLimitsScene()
    const replica = scene.startReplica()
    expect(countAllowed(await takeTimes(replica, 12, { limit: 10, windowSeconds: anHour }))).toBe(10)
    expect(countAllowed(await takeTimes(replica, 20, { limit: 25, windowSeconds: anHour }))).toBe(15)
    expect(countAllowed(await takeTimes(replica, 5, { limit: 10, windowSeconds: anHour }))).toBe(0)
  })
})

describe('a window', () => {
  test('ends, and the next begins with the next request', async () => {
    await using scene = await openLimitsScene()
    const rule = { limit: 5, windowSeconds: 1 }
    const replicas = [scene.startReplica(), scene.startReplica()]
    const allowedByWindow = new Map<number, number>()
    let refused = 0
    const note = ({ allowed, resetsAt }: Taken) => {
      const window = resetsAt.getTime()
      allowedByWindow.set(window, (allowedByWindow.get(window) ?? 0) + Number(allowed))
      refused += Number(!allowed)
    }
    // Requests run continuously, across at least two window ends, until a window is used up.
    await eventually(async () => {
      const taken = await Promise.all(replicas.map(({ limiter }) => limiter.take('someone', rule)))
      taken.forEach(note)
      return allowedByWindow.size >= 3 && refused > 0 && Math.max(...allowedByWindow.values()) >= 5
    }, 5)
    expect(Math.max(...allowedByWindow.values())).toBe(5)
    expect(Math.min(...allowedByWindow.values())).toBeGreaterThan(0)
    const ends = [...allowedByWindow.keys()]
    for (const [index, end] of ends.slice(1).entries())
      expect(end - (ends[index] ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  test('that has ended is found without reading active ones', async () => {
    await using scene = await openLimitsScene()
    await scene.database.query(`
      insert into kernel_limits (key, used, granted, ends_at)
      select sha256(number::text::bytea), 1, 1, now() + interval '1 hour' from generate_series(1, 20000) as number
    `)
    await scene.database.query('analyze kernel_limits')
    const statement = 'select key from kernel_limits where ends_at <= now() limit 5000 for update skip locked'
    const plan = await scene.database.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('kernel_limits_ends_at')
  })

  test('that has ended is deleted, and an active one is kept', async () => {
    await using scene = await openLimitsScene()
    const replica = scene.startReplica()
    await takeTimes(replica, 1, { limit: 5, windowSeconds: 1 }, 'short')
    await takeTimes(replica, 1, { limit: 5, windowSeconds: anHour }, 'long')
    // The window ends by the database's clock, which the clean-up uses.
    await expect.poll(() => deleteExpiredLimits(scene.database)).toBe(1)
    expect(await scene.database.query('select used from kernel_limits')).toHaveLength(1)
    expect((await takeTimes(replica, 1, { limit: 5, windowSeconds: 1 }, 'short'))[0]).toMatchObject({
      allowed: true,
      remaining: 4,
    })
  })
})

test('the table contains no name of a caller', async () => {
  await using scene = await openLimitsScene()
  await takeTimes(scene.startReplica(), 1, { limit: 5, windowSeconds: 60 }, 'address:192.0.2.7')
  const [row] = await scene.database.query<{ text: string }>(
    'select kernel_limits::text as text from kernel_limits',
  )
  expect(row?.text).not.toContain('192.0.2.7')
  expect(row?.text).not.toContain(Buffer.from('192.0.2.7').toString('hex'))
})
