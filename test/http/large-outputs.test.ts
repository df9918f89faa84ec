import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startOrchestraServer } from './orchestra-server.ts'

const workflows = '/ai-workflows/api'
const as = 'mara'

test('both APIs show the same values of an output wherever it is stored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-objects-'))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => rm(folder, { recursive: true }))
  const server = closing.use(
    await startOrchestraServer({
      environment: {
        TUTTI_OBJECTS_URL: pathToFileURL(folder).href,
        TUTTI_SECRET: 'a secret of a test that is long enough',
      },
    }),
  )
  const flow_id = await server.save([
    {
      id: 'take',
      type: 'data_transform',
      output_to_memory: 'taken',
      transformations: [{ operation: 'merge', sources: ['given'] }],
    },
  ])
  const given = { text: 'A long text. '.repeat(10_000), words: 30_000 }
  const { body } = await server.post(`${workflows}/execute-flow`, { flow_id, context: { given } }, { as })
  const id: string = body.execution_id

  async function read(path: string) {
    const answer = await server.call(path, { as })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.body
  }
  async function readAll() {
    const result = await read(`${workflows}/executions/${id}`)
    const status = await read(`${workflows}/execution-status/${id}`)
    const step = await read(`${workflows}/executions/${id}/steps/take`)
    const { results, ...orchestra } = await read(`/workflow-status/${id}`)
    return {
      results: result.step_results,
      memory: result.shared_memory,
      state: status.shared_memory_state,
      step,
      orchestra: [results, orchestra.execution_log?.length],
    }
  }

  const stored = await readAll()
  expect(stored.memory).toEqual({ taken: given })
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((it) => it.isFile())
  expect(files).toHaveLength(1)

  await server.database.query('update engine_steps set output = $2 where execution_id = $1', [
    id,
    JSON.stringify(given),
  ])
  expect(await readAll()).toEqual(stored)
})

test('a store without a secret, and a bucket without keys, are refused at the start', async () => {
  await expect(
    startOrchestraServer({ environment: { TUTTI_OBJECTS_URL: 'file:///nowhere/objects', TUTTI_SECRET: '' } }),
  ).rejects.toThrow('TUTTI_OBJECTS_URL needs TUTTI_SECRET')
  await expect(
    startOrchestraServer({ environment: { TUTTI_OBJECTS_URL: 'https://s3.example.com/bucket' } }),
  ).rejects.toThrow('TUTTI_OBJECTS_ACCESS_KEY')
  await expect(
    startOrchestraServer({ environment: { TUTTI_OBJECTS_URL: 'https://s3.example.com' } }),
  ).rejects.toThrow('must name a bucket')
})
