import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IncidentsServer, startIncidentsServer } from './status-incidents-server.ts'

let server: IncidentsServer
beforeAll(async () => {
  server = await startIncidentsServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const read = async (from = server) => {
  const { status, headers, text } = await from.call('/status/feed.atom', { as: '' })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  return text
}
const all = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map((match) => match[1] ?? '')

test('the feed has an identity before the first incident, and keeps it at every URL', async () => {
  const first = await read()
  const [id, updated] = [all(first, 'id')[0], all(first, 'updated')[0]]
  expect(id).toMatch(/^urn:uuid:[0-9a-f-]{36}$/)
  expect(Number.isNaN(Date.parse(updated ?? ''))).toBe(false)
  expect(first).not.toContain('<entry>')
  expect(first).toContain(
    `<link rel="self" type="application/atom+xml" href="${server.url}/status/feed.atom"/>`,
  )
  await using second = await startIncidentsServer({
    database: server.database,
    environment: { TUTTI_PUBLIC_URL: 'https://tutti.example.com/' },
  })
  const elsewhere = await read(second)
  expect(all(elsewhere, 'id')[0]).toBe(id)
  expect(elsewhere).toContain('href="https://tutti.example.com/status/feed.atom"')
})

test('an incident is one entry, which changes with its updates', async () => {
  server.find({ ollama: 'offline' })
  await server.round()
  const opened = await read()
  const [, entryId] = all(opened, 'id')
  expect(all(opened, 'title')[1]).toBe('Investigating: Own models are not available')
  const id = entryId?.replace('urn:uuid:', '') ?? ''
  expect(opened).toContain(`href="${server.url}/status/incidents/${id}"`)
  expect((await server.call(`/status/incidents/${id}`, { as: '' })).text).toContain(
    'Own models are not available',
  )

  server.find({ ollama: 'online' })
  await server.round()
  const closed = await read()
  expect(all(closed, 'id')).toEqual(all(opened, 'id'))
  expect(all(closed, 'published')).toEqual(all(opened, 'published'))
  expect(all(closed, 'title')[1]).toBe('Resolved: Own models are not available')
  const [feedUpdated, entryUpdated] = all(closed, 'updated')
  expect(feedUpdated).toBe(entryUpdated)
  expect(Date.parse(entryUpdated ?? '')).toBeGreaterThan(Date.parse(all(opened, 'updated')[1] ?? ''))
})
