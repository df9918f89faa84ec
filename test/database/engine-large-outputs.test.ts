import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { type Engine, listObjects } from '#engine'
import { inspectBackup, restoreBackup, writeBackup } from '#kernel/backup'
import { createEncryption } from '#kernel/encryption'
import { type ObjectStore, openObjectStore } from '#kernel/objects'
import { migrationSets } from '../../src/app/migrations.ts'
import { startBucketServer } from '../support/bucket-server.ts'
import { patience } from '../support/patience.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { answer, type EngineScene, openEngineScene, type RunStep } from './engine-setting.ts'

const patiently = { timeout: 60_000 * patience, interval: 50 }
const large = randomBytes(60_000).toString('base64')
const encryption = createEncryption({
  settings: { secret: 'a secret of a test that is long enough', previousSecret: undefined },
  database: { kind: 'server' },
  dataDir: '',
})

interface Folder extends AsyncDisposable {
  readonly path: string
  readonly store: ObjectStore
  files(): Promise<string[]>
}

async function createFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'tutti-objects-'))
  const settings = { region: '', accessKey: undefined, secretKey: undefined }
  const store = openObjectStore({ ...settings, url: pathToFileURL(join(path, 'store')).href })
  if (store === undefined) throw new Error('the store is not configured')
  return {
    path: join(path, 'store'),
    store,
    async files() {
      const entries = await readdir(path, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

const steps = [
  { id: 'write', type: 'ai_prompt', prompt: 'x', output_to_memory: 'text' },
  { id: 'count', type: 'ai_prompt', prompt: 'y', dependencies: ['write'] },
]

/** The first step writes a large text, the second one says how long it is. */
const runStep: RunStep = async (run) => {
  if (run.step.id === 'write') return answer({ text: large })
  const { text } = run.scope.memory as { text?: { text?: string } }
  return answer(text?.text === large ? 'the same' : 'another')
}

async function runIn(scene: EngineScene, engine: Engine, more: object = {}) {
  const what = await scene.save(steps, more)
  const { id } = await engine.executions.enqueue(what)
  await vi.waitFor(async () => expect((await scene.read(id)).work_state).toBe('finished'), patiently)
  return { id, what }
}

const outputIn = async (scene: EngineScene, id: string) =>
  (
    await scene.database.query<{ output: string | null }>(
      `select output from engine_steps where execution_id = $1 and step_id = 'write'`,
      [id],
    )
  )[0]?.output

const outputOf = async (engine: Engine, id: string) =>
  (await engine.executions.read(id))?.outcomes.find(({ stepId }) => stepId === 'write')?.output

async function collect(engine: Engine): Promise<void> {
  const task = engine.tasks.find(({ name }) => name === 'engine.objects')
  await task?.run(new AbortController().signal)
}

const rowsOf = async ({ database }: EngineScene) =>
  await database.query<{ id: string; check_at: Date | null }>('select id, check_at from engine_objects')

test('a large output is encrypted in the store, is read again, and goes with its execution', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  const { engine } = await scene.startProcess({ runStep, objects: folder.store, encryption })
  const { id } = await runIn(scene, engine)
  expect(await outputIn(scene, id)).toMatch(/^object:[0-9a-f-]{36}:\d+$/)
  expect(await outputOf(engine, id)).toEqual({ text: large })
  expect((await scene.steps(id))['count']?.output).toBe('the same')
  const [name = ''] = await folder.files()
  const content = await readFile(join(folder.path, name.slice(-2), name), 'utf8')
  expect(content).toMatch(/^v1\./)
  expect(content).not.toContain(large.slice(0, 100))

  // The check finds the outcome, and leaves the object alone.
  await scene.database.query('update engine_objects set check_at = now()')
  await collect(engine)
  expect(await rowsOf(scene)).toEqual([{ id: name, check_at: null }])

  await scene.database.query(`update engine_executions set finished_at = now() - interval '2 days'`)
  await scene.database.query('truncate engine_finished')
  await engine.tasks.find(({ name: task }) => task === 'engine.prune')?.run(new AbortController().signal)
  await collect(engine)
  expect([await rowsOf(scene), await folder.files()]).toEqual([[], []])
})

test('removed outputs are removed from the store', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  const { engine } = await scene.startProcess({ runStep, objects: folder.store, encryption })
  const keepsResultAlone = { global_configuration: { monitoring: { capture_intermediate_results: false } } }
  const { id } = await runIn(scene, engine, keepsResultAlone)
  expect(await outputIn(scene, id)).toBeNull()
  expect(await folder.files()).toHaveLength(1)
  await collect(engine)
  expect([await rowsOf(scene), await folder.files()]).toEqual([[], []])
})

test('a fork refers to the objects of its source, which stay while either exists', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  const { engine } = await scene.startProcess({ runStep, objects: folder.store, encryption })
  const { id, what } = await runIn(scene, engine)
  const fork = await engine.control.fork(id, { accountId: what.accountId, fromStep: 'count' })
  await vi.waitFor(async () => expect((await scene.read(fork.id)).work_state).toBe('finished'), patiently)
  expect((await scene.steps(fork.id))['count']?.output).toBe('the same')
  expect(await folder.files()).toHaveLength(1)
  await scene.database.query('delete from engine_steps where execution_id = $1', [id])
  await collect(engine)
  expect(await outputOf(engine, fork.id)).toEqual({ text: large })
  await scene.database.query('delete from engine_steps where execution_id = $1', [fork.id])
  await collect(engine)
  expect([await rowsOf(scene), await folder.files()]).toEqual([[], []])
})

test('an object whose outcome was not committed is deleted after an hour', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  const { engine } = await scene.startProcess({ objects: folder.store, encryption })
  const id = '00000000-0000-7000-8000-000000000001'
  await folder.store.put(id, Buffer.from('written by a process that died'))
  await scene.database.query(
    `insert into engine_objects (id, execution_id, check_at) values ($1, $1, now() + interval '1 hour')`,
    [id],
  )
  await collect(engine)
  expect(await folder.files()).toEqual([id])
  await scene.database.query('update engine_objects set check_at = now()')
  await collect(engine)
  expect([await rowsOf(scene), await folder.files()]).toEqual([[], []])
})

test('while the store is away, large outputs stay in the database and stored ones are unavailable', async () => {
  await using scene = await openEngineScene()
  await using bucket = await startBucketServer()
  const objects = openObjectStore({ url: bucket.url, ...bucket.keys })
  const first = await scene.startProcess({ runStep, objects, encryption })
  const { id } = await runIn(scene, first.engine)
  expect(bucket.objects.size).toBe(1)
  expect(await outputOf(first.engine, id)).toEqual({ text: large })

  bucket.failWith = 503
  const { id: later } = await runIn(scene, first.engine)
  expect(await outputIn(scene, later)).toBe(JSON.stringify({ text: large }))
  // Another process, which has not read the object before.
  const { engine } = await scene.startProcess({ objects, encryption, concurrency: 1 })
  await expect(outputOf(engine, id)).rejects.toMatchObject({ code: 'objects_unavailable', status: 503 })
  await scene.database.query('delete from engine_steps')
  await scene.database.query('update engine_objects set check_at = now()')
  await expect(collect(engine)).rejects.toMatchObject({ code: 'objects_unavailable' })
  bucket.failWith = undefined
  expect(bucket.objects.size).toBe(1)
  await scene.database.query('update engine_objects set check_at = now()')
  await collect(engine)
  expect([bucket.objects.size, await rowsOf(scene)]).toEqual([0, []])
})

test('a worker that takes an execution up waits for the store, and a missing object fails it', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  const reached = Promise.withResolvers<void>()
  const stopping: RunStep = async (run) => {
    if (run.step.id !== 'count') return await runStep(run)
    reached.resolve()
    return await new Promise((_, reject) => {
      run.signal.addEventListener('abort', () => reject(run.signal.reason))
    })
  }
  const first = await scene.startProcess({ runStep: stopping, objects: folder.store, encryption })
  const { id } = await first.engine.executions.enqueue(await scene.save(steps))
  await reached.promise
  await first.worker.stop()
  await rename(folder.path, `${folder.path}-away`)
  const { engine } = await scene.startProcess({ runStep, objects: folder.store, encryption })
  await vi.waitFor(async () => expect((await scene.read(id)).work_state).toBe('running'), patiently)
  await expect(outputOf(engine, id)).rejects.toMatchObject({ code: 'objects_unavailable' })
  // Before the store is back: the worker may read from it at once.
  const [name = ''] = await folder.files()
  await rm(join(`${folder.path}-away`, name.slice(-2), name))
  await rename(`${folder.path}-away`, folder.path)
  await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('failed'), patiently)
  expect((await scene.read(id)).error).toMatchObject({
    code: 'INTERNAL_ERROR',
    message: expect.stringContaining('is missing in the object store'),
  })
  expect(await outputOf(engine, id)).toContain('is missing in the object store')
})

test('without the store that rows refer to, reading says what to set', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  const { engine } = await scene.startProcess({ runStep, objects: folder.store, encryption })
  const { id } = await runIn(scene, engine)
  const other = await scene.startProcess()
  await expect(outputOf(other.engine, id)).rejects.toMatchObject({ code: 'objects_not_configured' })
})

test('a backup contains the objects, and a restore puts them into the store', async () => {
  await using scene = await openEngineScene()
  await using folder = await createFolder()
  await using target = await createFolder()
  const { engine } = await scene.startProcess({ runStep, objects: folder.store, encryption })
  const { id } = await runIn(scene, engine)
  const path = `${folder.path}.tar`
  const summary = await writeBackup({
    database: scene.database,
    path,
    program: '0.1.0',
    secrets: [],
    objects: { list: listObjects, read: (key) => folder.store.get(key) },
  })
  expect(summary).toMatchObject({ objects: 1, objectsMissing: 0, encryptedUnknown: 1 })
  const backup = await inspectBackup(path)
  expect(backup.objects).toBe(1)
  await using restored = await createTestDatabase({ start: 'empty' })
  await restoreBackup({
    database: restored,
    sets: migrationSets,
    backup,
    replace: false,
    putObject: (key, content) => target.store.put(key, content),
  })
  const other = await scene.startProcess({ database: restored, objects: target.store, encryption })
  expect(await outputOf(other.engine, id)).toEqual({ text: large })
})
