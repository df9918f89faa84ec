import { expect, test } from 'vitest'
import { startStatusServer } from './status-server.ts'
import { startQdrantServer } from './status-vector-servers.ts'

const path = '/admin/llm/incidents?service=vector_db'

test('a service that gets slow, fails, recovers, flaps and is removed is reflected in incidents, page and feed', async () => {
  await using qdrant = await startQdrantServer()
  await using server = await startStatusServer({
    environment: { TUTTI_QDRANT_URL: qdrant.url, TUTTI_STATUS_PAGE: 'true' },
    pageKeepMs: 0,
  })
  /** High thresholds, so that a busy machine does not count as slow. */
  const slowAfter = (ms: number) => server.configure({ slow_ms: { vector_db: ms } })
  await slowAfter(60_000)
  await server.configure({
    damping: { worse: 2, better: 2, flapping_changes: 4, flapping_minutes: 10 },
  })
  const list = async () => (await server.call(path)).body.incidents
  const seen = async () => {
    const { body } = await server.call('/status.json', { as: '' })
    return body.services.find(({ name }: { name: string }) => name === 'Vector search')?.state
  }
  const titles = async () => {
    const { body } = await server.call('/status/feed.atom', { as: '' })
    return [...String(body).matchAll(/<title>([^<]*Vector search[^<]*)<\/title>/g)].map((match) => match[1])
  }
  await server.probe()
  await expect.poll(seen).toBe('operational')

  qdrant.behave('slow')
  await slowAfter(300)
  await server.probe(2)
  await expect.poll(seen).toBe('degraded')
  expect(await list()).toEqual([])
  await server.database.query(
    `update status_services set since = since - interval '6 minutes' where service = 'vector_db'`,
  )
  await server.probe()
  expect(await list()).toMatchObject([{ title: 'Vector search is impaired', impact: 'degraded' }])

  qdrant.behave('error')
  await slowAfter(60_000)
  await server.probe(1)
  expect((await list())[0].impact).toBe('degraded')
  await server.probe(1)
  expect(await list()).toMatchObject([{ title: 'Vector search is not available', impact: 'down' }])
  await expect.poll(titles).toEqual(['Investigating: Vector search is not available'])

  qdrant.behave('normal')
  await server.probe(2)
  expect(await list()).toMatchObject([{ state: 'resolved' }])
  await expect.poll(titles).toEqual(['Resolved: Vector search is not available'])

  // It is flapping now and stays degraded, which is no second incident until it lasts.
  await qdrant.close()
  await server.probe(2)
  expect((await server.service('vector_db')).status).toBe('degraded')
  expect(await list()).toHaveLength(1)

  // Internal details are not public.
  const { body } = await server.call('/status.json', { as: '' })
  expect(JSON.stringify(body)).not.toMatch(/qdrant|healthz|vector_db|connection refused/i)
})
