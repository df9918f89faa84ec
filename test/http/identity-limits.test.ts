import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addAccount,
  countHashes,
  errorCode,
  freshAddress,
  type IdentityServer,
  signIn,
  signInByForm,
  startIdentityServer,
} from './identity-server.ts'

const amy = { username: 'amy', password: 'gaelic symphony' }
const wrong = { username: 'amy', password: 'not that' }

let server: IdentityServer

beforeAll(async () => {
  server = await startIdentityServer()
  await addAccount(server.database, amy)
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(() => server.database.query('delete from identity_sign_in_limits'))

const ask = async (credentials: unknown, ip = freshAddress()) =>
  (await signIn(server, credentials, { ip })).status

async function askTimes(count: number, credentials: unknown, ip?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let round = 0; round < count; round += 1) statuses.push(await ask(credentials, ip))
  return statuses
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** Moves the stored times into the past. */
const wait = (interval: string) =>
  server.database.query(
    `update identity_sign_in_limits set ends_at = ends_at - $1::interval, forget_at = forget_at - $1::interval`,
    [interval],
  )

describe('one address', () => {
  test('may fail ten times a minute; then no hash is computed for it', async () => {
    const ip = freshAddress()
    const guesses = Array.from({ length: 10 }, (_, round) => ({ username: `name${round}`, password: 'x' }))
    for (const guess of guesses) expect(await ask(guess, ip)).toBe(401)

    const before = await countHashes(server)
    const answer = await signIn(server, amy, { ip })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await errorCode(answer)).toBe('rate_limited')
    expect(await countHashes(server)).toBe(before)
  })

  test('gets the wait on the page', async () => {
    const ip = freshAddress()
    await askTimes(10, wrong, ip)
    const answer = await signInByForm(server, amy, { ip })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(await answer.text()).toMatch(/Too many sign-in attempts. Try again in (1 minute|\d+ seconds)\./)
  })

  test('waits longer each time, and requests do not extend the wait', async () => {
    const ip = freshAddress()
    const pauses: number[] = []
    for (let round = 0; round < 6; round += 1) {
      const username = `n${round}`
      await addAccount(server.database, { username, password: 'another password' })
      expect(await askTimes(10, { username, password: 'x' }, ip)).toEqual(times(10, 401))
      await signIn(server, wrong, { ip })
      const answer = await signIn(server, wrong, { ip })
      pauses.push(Number(answer.headers.get('retry-after')))
      await wait(`${pauses.at(-1)} seconds`)
    }
    expect(pauses.map((seconds) => Math.round(seconds / 60))).toEqual([1, 2, 4, 8, 15, 15])
  })

  test('is reset after an hour without failures', async () => {
    const ip = freshAddress()
    await askTimes(11, wrong, ip)
    await wait('2 hours')
    expect(await askTimes(11, wrong, ip)).toEqual([...times(10, 401), 429])
    const answer = await signIn(server, wrong, { ip })
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })

  test('may sign in any number of times with the right password', async () => {
    expect(await askTimes(15, amy, freshAddress())).toEqual(times(15, 200))
  })

  test('cannot buy guesses with sign-ins to its own account', async () => {
    await addAccount(server.database, { username: 'mallory', password: 'my own password' })
    const ip = freshAddress()
    const statuses: number[] = []
    for (let round = 0; round < 12; round += 1) {
      await ask({ username: 'mallory', password: 'my own password' }, ip)
      statuses.push(await ask(wrong, ip))
    }
    expect(statuses).toEqual([...times(10, 401), 429, 429])
  })

  test('gains nothing by concurrent requests', async () => {
    const ip = freshAddress()
    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask(wrong, ip)))
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })

  test('is a whole IPv6 network', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 11; round += 1) {
      statuses.push(await ask({ username: `six${round}`, password: 'x' }, `2001:db8:1:2::${round}`))
    }
    expect(statuses).toEqual([...times(10, 401), 429])
    expect(await ask(amy, '2001:db8:1:3::1')).toBe(200)
  })
})

describe('one username', () => {
  test('is limited across addresses, known or not', async () => {
    for (const username of ['amy', 'unknown-name']) {
      const statuses: number[] = []
      for (let round = 0; round < 12; round += 1) statuses.push(await ask({ username, password: 'x' }))
      expect(statuses).toEqual([...times(10, 401), 429, 429])
    }
  })

  test('accepts the right password from elsewhere, after any number of failures', async () => {
    const attacker = freshAddress()
    await askTimes(10, wrong, attacker)
    for (let round = 0; round < 10; round += 1) await ask(wrong)

    expect(await ask(wrong)).toBe(429)
    expect(await ask(amy, attacker)).toBe(429)
    expect(await ask(amy)).toBe(200)
  })

  test('leaves an address three failures of its own', async () => {
    for (let round = 0; round < 11; round += 1) await ask(wrong)
    const home = freshAddress()
    expect(await askTimes(2, wrong, home)).toEqual([429, 429])
    expect(await ask(amy, home)).toBe(200)
    expect(await ask(wrong, home)).toBe(429)
    const before = await countHashes(server)
    expect(await ask(amy, home)).toBe(429)
    expect(await countHashes(server)).toBe(before)
    await wait('61 seconds')
    expect(await ask(amy, home)).toBe(200)
  })

  test('is the same in every case and spelling', async () => {
    const statuses: number[] = []
    for (const username of [
      'amy',
      'AMY',
      ' amy',
      'Amy ',
      'ａｍｙ',
      'amy',
      'aMy',
      'amY',
      'amy',
      'amy',
      'AMY',
    ]) {
      statuses.push(await ask({ username, password: 'x' }))
    }
    expect(statuses).toEqual([...times(10, 401), 429])
  })
})

test('stored counters contain no name and no address', async () => {
  await ask({ username: 'my-password-by-mistake', password: 'x' }, '198.51.100.77')
  const rows = await server.database.query<{ text: string }>(
    `select convert_from(decode(encode(key, 'hex'), 'hex'), 'LATIN1') || l::text as text from identity_sign_in_limits l`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/my-password|198\.51/)
})
