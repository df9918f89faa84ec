import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { basicAuth, startPlatformIn } from '../support/platform.ts'

test('callers get 200 or 503 while the database is killed, never 500, and then it recovers', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using platform = await startPlatformIn(folder.path, { DATABASE_CONNECT_WAIT: '500ms' })
  const statuses = new Map<number, number>()
  const headers = basicAuth(platform)
  const enough = new AbortController()
  const load = Array.from({ length: 8 }, async () => {
    while (!enough.signal.aborted) {
      const answer = await fetch(`${platform.url}/api/v1/events?limit=5`, { headers })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      // Often enough to be running at any moment; without a pause it would use the whole processor.
      await delay(10)
      const body = (await answer.json()) as { error?: { code: string } }
      if (answer.status === 503) {
        expect(body.error?.code).toMatch(/^(database_unavailable|overloaded)$/)
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      }
    }
  })
  for (let round = 1; round <= 3; round += 1) {
    await expect.poll(() => statuses.get(200) ?? 0).toBeGreaterThan(round * 20)
    const pid = folder.serverPid()
    await folder.killServer('SIGKILL')
    await expect.poll(() => folder.serverPid() ?? pid).not.toBe(pid)
  }
  await expect.poll(async () => (await fetch(`${platform.url}/readyz`)).status).toBe(200)
  enough.abort()
  await Promise.all(load)
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
})

test('acknowledged writes before a kill -9 are there after the next start, on the same database', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  let password: string
  let lastId: number
  {
    await using platform = await startPlatformIn(folder.path)
    password = platform.admin.password
    const page = await fetch(`${platform.url}/api/v1/events`, { headers: basicAuth(platform) })
    lastId = ((await page.json()) as { last_id: number }).last_id
    expect(lastId).toBeGreaterThan(0)
    await platform.process.kill('SIGKILL')
  }
  await using platform = await startPlatformIn(folder.path, {
    TUTTI_ADMIN_PASSWORD: 'ignored: there is an account',
  })
  const headers = basicAuth({ ...platform, admin: { username: 'admin', password } })
  const page = await fetch(`${platform.url}/api/v1/events?after=${lastId - 1}`, { headers })
  // An event may have come between the request and the kill.
  const { data } = (await page.json()) as { data: { id: number }[] }
  expect(data[0]).toMatchObject({ id: lastId })
})
