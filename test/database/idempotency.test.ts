import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, migrate } from '#kernel/database'
import { createEncryption } from '#kernel/encryption'
import { idempotencyMigrations } from '#kernel/idempotency'
import { createLogger } from '#kernel/telemetry'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type IdempotencyServer, send, startIdempotencyServer } from './idempotency-server.ts'

let database: TestDatabase
let here: IdempotencyServer
let there: IdempotencyServer
/** How many requests waited for another one, or found a stored response. */
let looks = 0
/** The gates that handlers await before they respond, by work. */
const gates = new Map<string, { readonly reached: () => void; readonly open: Promise<void> }>()
const beforeAnswer = async (what: string) => {
  const gate = gates.get(what)
  gate?.reached()
  await gate?.open
}

/** Delays every response about this work until it is opened. */
function holdBack(what: string) {
  const reached = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  gates.set(what, { reached: reached.resolve, open: open.promise })
  return { reached: reached.promise, open: open.resolve }
}

beforeAll(async () => {
  database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [idempotencyMigrations], createLogger({ level: 'silent', format: 'json' }))
  await database.query('create table works (id uuid primary key, what text not null)')
  const watched: Database = {
    ...database,
    async query<Row>(text: string, values?: readonly unknown[], name?: string) {
      const rows = await database.query<Row>(text, values, name)
      if (text.includes('as same')) looks += 1
      return rows
    },
  }
  here = await startIdempotencyServer({ database: watched, beforeAnswer })
  there = await startIdempotencyServer({ database: watched, beforeAnswer })
})
afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
  await database.close()
})

/** Resets the state for a retried test. */
beforeEach(async () => {
  gates.clear()
  here.forget()
  there.forget()
  await database.query('delete from kernel_idempotency')
  await database.query('delete from works')
})

const worksOf = async (what: string) =>
  (await database.query<{ id: string }>('select id from works where what = $1', [what])).map(({ id }) => id)
const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code

describe('a request with an Idempotency-Key', () => {
  test('gets the first response again, from any replica, and starts nothing new', async () => {
    const sending = { key: 'first', body: { what: 'first' } }
    const first = await send(here, sending)
    const text = await first.text()
    expect(first.status).toBe(202)
    expect(first.headers.get('idempotent-replay')).toBeNull()
    for (const replica of [here, there]) {
      const again = await send(replica, sending)
      expect(again.status).toBe(202)
      expect(await again.text()).toBe(text)
      expect(again.headers.get('idempotent-replay')).toBe('true')
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
    expect(await worksOf('first')).toHaveLength(1)
  })

  test('matches with its fields in another order', async () => {
    const one = await send(here, { key: 'order', body: { what: 'order', answer: '201' } })
    const other = await send(here, { key: 'order', body: { answer: '201', what: 'order' } })
    expect(await other.text()).toBe(await one.text())
  })

  test('with another body is refused, and the first response stays', async () => {
    const first = await send(here, { key: 'reused', body: { what: 'reused' } })
    const other = await send(there, { key: 'reused', body: { what: 'reused for another' } })
    expect(other.status).toBe(422)
    expect(await codeOf(other)).toBe('idempotency_key_reused')
    expect(await worksOf('reused for another')).toEqual([])
    const again = await send(there, { key: 'reused', body: { what: 'reused' } })
    expect(await again.text()).toBe(await first.text())
  })

  test('with another id in its path is another request', async () => {
    const sending = { key: 'address', body: { what: 'address' } }
    expect((await send(here, { ...sending, path: '/works/1/again' })).status).toBe(202)
    expect((await send(here, { ...sending, path: '/works/2/again' })).status).toBe(422)
  })

  test('belongs to one account and one route', async () => {
    const sending = { key: 'shared', body: { what: 'shared' } }
    await send(here, sending)
    await send(here, { ...sending, account: 'omar' })
    await send(here, { ...sending, path: '/works/1/again' })
    expect(await worksOf('shared')).toHaveLength(3)
  })

  test('that arrives while the first is running waits for its response', async () => {
    const gate = holdBack('slow')
    const sending = { key: 'slow', body: { what: 'slow' } }
    const first = send(here, sending)
    await gate.reached
    const before = looks
    const others = [here, there, there].map((replica) => send(replica, sending))
    await eventually(() => looks >= before + 3)
    gate.open()
    const texts = await Promise.all([first, ...others].map(async (answer) => (await answer).text()))
    expect(new Set(texts).size).toBe(1)
    expect(await worksOf('slow')).toHaveLength(1)
    expect([...here.handled, ...there.handled].filter((what) => what === 'slow')).toHaveLength(1)
  })

  test('keeps its response although its caller disconnected', async () => {
    const gate = holdBack('left')
    const leaving = new AbortController()
    const sending = { key: 'left', body: { what: 'left' } }
    const first = send(here, { ...sending, signal: leaving.signal })
    await gate.reached
    leaving.abort()
    await expect(first).rejects.toMatchObject({ name: 'AbortError' })
    const before = looks
    const again = send(there, sending)
    await eventually(() => looks > before)
    gate.open()
    expect((await again).headers.get('idempotent-replay')).toBe('true')
    expect(await worksOf('left')).toHaveLength(1)
  })

  test('waits for a limited time', async () => {
    await using impatient = await startIdempotencyServer({ database, timing: { waitMs: 100 } })
    const gate = holdBack('long')
    const sending = { key: 'long', body: { what: 'long' } }
    const first = send(here, sending)
    await gate.reached
    const second = await send(impatient, sending)
    expect(second.status).toBe(409)
    expect(await codeOf(second)).toBe('idempotency_key_in_use')
    expect(second.headers.get('retry-after')).toBe('5')
    gate.open()
    expect((await first).status).toBe(202)
  })

  test.each([
    ['500', '500'],
    ['503', '503'],
    ['429', '429'],
    ['a crash', 'throws'],
    ['an answer that is too large', 'large'],
  ])('is retried after %s, for the same work', async (_name, answer) => {
    const sending = { key: `again ${answer}`, body: { what: `again ${answer}`, answer } }
    const first = await send(here, sending)
    const second = await send(there, sending)
    expect(second.status).toBe(first.status)
    expect(second.headers.get('idempotent-replay')).toBeNull()
    expect(await worksOf(`again ${answer}`)).toHaveLength(1)
    const handled = [...here.handled, ...there.handled].filter((what) => what === `again ${answer}`)
    expect(handled).toHaveLength(2)
  })

  test.each(['404', '422', 'nothing'])('gets %s again', async (answer) => {
    const sending = { key: `kept ${answer}`, body: { what: `kept ${answer}`, answer } }
    const first = await send(here, sending)
    const second = await send(there, sending)
    expect(second.status).toBe(first.status)
    expect(await second.text()).toBe(await first.text())
    expect(second.headers.get('idempotent-replay')).toBe('true')
  })

  test('that is invalid uses no key', async () => {
    expect((await send(here, { key: 'invalid', body: { what: 1 } })).status).toBe(400)
    expect((await send(here, { key: 'invalid', body: { what: 'invalid' } })).status).toBe(202)
  })

  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not printable', 'caf\u00e9'],
  ])('whose key is %s is refused', async (_name, key) => {
    const answer = await send(here, { key, body: { what: 'bad key' } })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('idempotency-key')
    expect(await worksOf('bad key')).toEqual([])
  })

  test('with 255 characters, spaces and symbols included, is accepted', async () => {
    const key = `~ !"${'k'.repeat(251)}`
    expect((await send(here, { key, body: { what: 'long key' } })).status).toBe(202)
  })

  test('needs an account', async () => {
    const answer = await send(here, { key: 'anonymous', account: null, path: '/other-works' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Sign in first')
    const without = await send(here, { account: null, path: '/other-works' })
    expect(without.status).toBe(202)
  })
})

test('without a key each request starts new work', async () => {
  await send(here, { body: { what: 'plain' } })
  await send(here, { body: { what: 'plain' } })
  expect(await worksOf('plain')).toHaveLength(2)
})

test('routes that do not opt in are unaffected', async () => {
  const answers = [
    await send(here, { key: 'k', path: '/plain' }),
    await send(here, { key: 'k', path: '/plain' }),
  ]
  const [one, other] = await Promise.all(answers.map((answer) => answer.text()))
  expect(one).not.toBe(other)
})

test('a first request whose process was killed delays others only briefly, and its work is found again', async () => {
  await using child = await startProcess({
    file: new URL('./idempotency-process.ts', import.meta.url),
    env: { DATABASE_URL: database.url, LEASE_MS: '1000' },
  })
  const url = await child.waitForLine(/^http/)
  const sending = { key: 'killed', body: { what: 'killed' } }
  const first = send({ url }, sending)
  first.catch(() => {})
  await child.waitForLine(/^stored killed/)
  const [id] = await worksOf('killed')
  await child.kill()
  const second = await send(here, sending)
  expect(await second.json()).toMatchObject({ workId: id })
  expect(await worksOf('killed')).toHaveLength(1)
})

test('a request that takes longer than a lease keeps its claim', async () => {
  const leaseMs = 1500 * patience
  await using hasty = await startIdempotencyServer({ database, beforeAnswer, timing: { leaseMs } })
  const gate = holdBack('renewed')
  const sending = { key: 'renewed', body: { what: 'renewed' } }
  const first = send(hasty, sending)
  await gate.reached
  const [row] = await database.query<{ until: Date }>(
    'select max(held_until) as until from kernel_idempotency where holder is not null',
  )
  await expect
    .poll(async () => {
      const [later] = await database.query<{ until: Date }>(
        'select max(held_until) as until from kernel_idempotency where holder is not null',
      )
      return later?.until.getTime() ?? 0
    })
    .toBeGreaterThan((row?.until.getTime() ?? 0) + leaseMs)
  const before = looks
  const second = send(here, sending)
  await eventually(() => looks > before)
  gate.open()
  expect(await (await second).text()).toBe(await (await first).text())
  expect(here.handled).not.toContain('renewed')
})

test('a replica that stops releases its claims at once', async () => {
  const gate = holdBack('stopped')
  const stopping = await startIdempotencyServer({ database, beforeAnswer })
  const sending = { key: 'stopped', body: { what: 'stopped' } }
  const first = send(stopping, sending)
  first.catch(() => {})
  await gate.reached
  gates.delete('stopped')
  await stopping[Symbol.asyncDispose]()
  expect((await send(here, sending)).status).toBe(202)
  expect(await worksOf('stopped')).toHaveLength(1)
  gate.open()
})

/** Moves it a day and an hour into the past. */
const age = (what: string) =>
  database.query(
    `update kernel_idempotency set created_at = created_at - interval '25 hours'
     where work_id in (select id from works where what = $1)`,
    [what],
  )

const encryption = (secret: string) =>
  createEncryption({ settings: { secret, previousSecret: undefined }, database, dataDir: '' })

describe('a stored response', () => {
  test('is encrypted, and replayed unchanged', async () => {
    await using server = await startIdempotencyServer({ database, encryption: encryption('s'.repeat(32)) })
    const sending = { key: 'encrypted', body: { what: 'encrypted' } }
    const first = await (await send(server, sending)).text()
    const [workId] = await worksOf('encrypted')
    const [kept] = await database.query<{ body: Buffer }>(
      'select body from kernel_idempotency where work_id = $1',
      [workId],
    )
    expect(kept?.body.toString()).not.toContain(workId)
    const again = await send(server, sending)
    expect([again.headers.get('idempotent-replay'), await again.text()]).toEqual(['true', first])
    // A response without a body is stored, too.
    const nothing = { key: 'encrypted nothing', body: { what: 'x', answer: 'nothing' } }
    await send(server, nothing)
    expect((await send(server, nothing)).status).toBe(204)
  })

  test('is computed again for the same work when its secret is gone', async () => {
    await using before = await startIdempotencyServer({ database, encryption: encryption('a'.repeat(32)) })
    await using after = await startIdempotencyServer({ database, encryption: encryption('b'.repeat(32)) })
    const sending = { key: 'lost', body: { what: 'lost' } }
    const first = (await (await send(before, sending)).json()) as { workId: string }
    const again = await send(after, sending)
    expect(again.headers.get('idempotent-replay')).toBeNull()
    expect(await again.json()).toMatchObject({ workId: first.workId })
    expect((await send(after, sending)).headers.get('idempotent-replay')).toBe('true')
  })
})

describe('after a day', () => {
  test('a key is new again', async () => {
    await send(here, { key: 'aged', body: { what: 'aged' } })
    await age('aged')
    const again = await send(here, { key: 'aged', body: { what: 'aged anew' } })
    expect(again.status).toBe(202)
    expect(again.headers.get('idempotent-replay')).toBeNull()
    expect(await worksOf('aged anew')).toHaveLength(1)
  })

  test('expired claims are deleted by the task, and younger ones are not', async () => {
    await send(here, { key: 'old', body: { what: 'old' } })
    await send(here, { key: 'young', body: { what: 'young' } })
    await age('old')
    await here.idempotency.cleanUp.run(new AbortController().signal)
    const left = await database.query<{ what: string }>(
      'select what from works where id in (select work_id from kernel_idempotency)',
    )
    expect(left).toContainEqual({ what: 'young' })
    expect(left).not.toContainEqual({ what: 'old' })
  })
})
