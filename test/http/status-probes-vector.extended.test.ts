import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type StatusServerOptions, startStatusServer } from './status-server.ts'
import { startChromaServer, startQdrantServer } from './status-vector-servers.ts'

let opened: AsyncDisposableStack

beforeEach(() => {
  opened = new AsyncDisposableStack()
})

afterEach(() => opened.disposeAsync())

const start = async (options: StatusServerOptions = {}) => opened.use(await startStatusServer(options))

describe('the vector database', () => {
  test('is a configured Qdrant server: by its health, its collections and its version', async () => {
    await using qdrant = await startQdrantServer({ apiKey: 'q-key' })
    const environment = { TUTTI_QDRANT_URL: qdrant.url, TUTTI_QDRANT_API_KEY: 'q-key' }
    const server = await start({ environment })
    await server.probe()
    expect(await server.service('vector_db')).toMatchObject({
      status: 'online',
      metadata: { version: 'Qdrant 1.15.4' },
    })
    expect(qdrant.paths.toSorted()).toEqual(['/', '/collections', '/healthz'])
    qdrant.behave('slow')
    await server.configure({ slow_ms: { vector_db: 300 } })
    await server.probe(2)
    expect(await server.service('vector_db')).toMatchObject({ status: 'degraded' })
    qdrant.behave('error')
    await server.probe(2)
    expect(await server.service('vector_db')).toMatchObject({
      status: 'offline',
      statusText: 'Qdrant failed: /healthz answered with status 503.',
    })
    qdrant.behave('rubbish')
    await server.probe()
    expect((await server.service('vector_db')).statusText).toContain('did not return a list of collections')
    qdrant.behave('hang')
    await server.configure({ timeout_seconds: 1 })
    await server.probe()
    expect((await server.service('vector_db')).statusText).toBe('No response within 1 s.')
    await server.configure({ timeout_seconds: 20 })
    await qdrant.close()
    await server.probe()
    expect((await server.service('vector_db')).statusText).toBe(
      'Qdrant does not respond: connection refused.',
    )
  })

  test('requires its key', async () => {
    await using qdrant = await startQdrantServer({ apiKey: 'q-key' })
    await using chroma = await startChromaServer({ token: 'c-token' })
    const one = await start({ environment: { TUTTI_QDRANT_URL: qdrant.url } })
    await one.probe()
    expect((await one.service('vector_db')).statusText).toContain('TUTTI_QDRANT_API_KEY')
    const other = await start({ environment: { TUTTI_CHROMA_URL: chroma.url, TUTTI_CHROMA_TOKEN: 'wrong' } })
    await other.probe()
    expect((await other.service('vector_db')).statusText).toContain('TUTTI_CHROMA_TOKEN')
  })

  test('is a configured Chroma server: by its heartbeat and its version', async () => {
    await using chroma = await startChromaServer({ token: 'c-token' })
    const server = await start({
      environment: { TUTTI_CHROMA_URL: `${chroma.url}/`, TUTTI_CHROMA_TOKEN: 'c-token' },
    })
    await server.probe()
    expect(await server.service('vector_db')).toMatchObject({
      status: 'online',
      metadata: { version: 'Chroma 1.0.20' },
    })
    expect(chroma.paths.toSorted()).toEqual(['/api/v2/heartbeat', '/api/v2/version'])
    chroma.behave('rubbish')
    await server.probe(2)
    expect(await server.service('vector_db')).toMatchObject({
      status: 'offline',
      statusText: expect.stringContaining('did not return a heartbeat'),
    })
  })

  test('with two servers has the state of the worse one', async () => {
    await using qdrant = await startQdrantServer()
    await using chroma = await startChromaServer()
    const server = await start({
      environment: { TUTTI_QDRANT_URL: qdrant.url, TUTTI_CHROMA_URL: chroma.url },
    })
    await server.probe()
    expect(await server.service('vector_db')).toMatchObject({ status: 'online' })
    await chroma.close()
    await server.probe(2)
    expect(await server.service('vector_db')).toMatchObject({
      status: 'offline',
      statusText: 'Chroma does not respond: connection refused.',
    })
  })

  test('is pgvector where the database has it, checked by a distance query', async () => {
    await using database = await createTestDatabase()
    const server = await start({ database })
    await server.probe()
    expect(await server.service('vector_db')).toMatchObject({
      status: 'unconfigured',
      statusText: expect.stringContaining('pgvector is not installed'),
    })
    const folder = await mkdtemp(join(tmpdir(), 'tutti-vector-'))
    opened.defer(() => rm(folder, { recursive: true }))
    await offerVectorExtension(folder, database)
    // Ended connections may not have noticed yet.
    const look = async () => {
      await server.probe()
      return await server.service('vector_db')
    }
    await expect.poll(look).toMatchObject({
      status: 'unconfigured',
      statusText: expect.stringContaining('create extension vector'),
    })
    await database.withSession(async (session) => {
      await session.query(`set extension_control_path = '${folder}'`)
      await session.query('create schema "Vectors"; create extension vector schema "Vectors"')
    })
    await server.probe()
    expect(await server.service('vector_db')).toMatchObject({
      status: 'online',
      metadata: { version: 'pgvector 0.8.1' },
    })
    await database.query('drop extension vector cascade')
    await server.probe()
    expect(await server.service('vector_db')).toMatchObject({ status: 'unconfigured' })
  })
})

/** A fake pgvector extension, written in SQL. */
async function offerVectorExtension(folder: string, database: TestDatabase): Promise<void> {
  await writeExtension(folder)
  const [row] = await database.query<{ name: string }>('select current_database() as name')
  await database.query(`alter database "${row?.name}" set extension_control_path = '${folder}'`)
  // Ends open connections, which keep their earlier settings.
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [row?.name],
  )
}

async function writeExtension(folder: string): Promise<void> {
  await mkdir(join(folder, 'extension'))
  await writeFile(
    join(folder, 'extension', 'vector.control'),
    "comment = 'vectors'\ndefault_version = '0.8.1'\nrelocatable = true\n",
  )
  await writeFile(
    join(folder, 'extension', 'vector--0.8.1.sql'),
    `
      create domain vector as jsonb;
      create function vector_distance(one jsonb, other jsonb) returns float8 language sql immutable as $$
        select sqrt(sum(power(a::float8 - b::float8, 2)))
        from jsonb_array_elements_text(one) with ordinality as l (a, i)
        join jsonb_array_elements_text(other) with ordinality as r (b, i) using (i)
      $$;
      create operator <-> (leftarg = jsonb, rightarg = jsonb, function = vector_distance);
    `,
  )
}
