import { afterAll, beforeAll, expect, test } from 'vitest'
import { plain } from '../database/orchestra-agents-scene.ts'
import { type OrchestraServer, shareOrchestraServer } from './orchestra-server.ts'

let server: OrchestraServer

beforeAll(async () => {
  server = await shareOrchestraServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const validate = (fields: object, as = 'mara') =>
  server.post('/agents/validate', { agent_definition: { ...plain, ...fields } }, { as })

test('a valid definition has no errors, and nothing is saved', async () => {
  expect(await validate({ id: 'validated_only' })).toMatchObject({
    status: 200,
    body: {
      success: true,
      agent_id: 'validated_only',
      id_taken: false,
      validation_results: { valid: true, errors: [] },
    },
  })
  expect((await server.call('/agents/validated_only')).status).toBe(404)
})

test('an invalid definition is reported with all errors and their paths', async () => {
  const prompt = 'Rewrite {{text}}.'
  const parameters = { tone: { required: true, default: 'plain' } }
  const { status, body } = await validate({ prompt, parameters })
  expect({ status, success: body.success, id: body.agent_id }).toEqual({
    status: 200,
    success: false,
    id: plain.id,
  })
  expect(body.validation_results.errors.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['prompt', 'parameters.tone', 'parameters.tone.default']),
  )
})

test('an invalid id is null, and the id of a built-in agent is taken', async () => {
  expect((await validate({ id: 'Not an id' })).body).toMatchObject({ agent_id: null, id_taken: false })
  expect((await validate({ id: 'translator' })).body).toMatchObject({ success: true, id_taken: true })
})

test('a wrong body is refused, and so is an account that may not save agents', async () => {
  expect(await server.post('/agents/validate', { agent: {} }, { as: 'mara' })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR' } },
  })
  expect((await validate({}, 'nora')).status).toBe(403)
})
