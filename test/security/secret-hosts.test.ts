import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EchoApi, startEchoApi } from '../support/echo-api.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'

let server: FlowsPlatform
let api: EchoApi

beforeAll(async () => {
  api = await startEchoApi()
  const permissions = ['run workflows', 'manage workflows']
  server = await openFlowsPlatform(
    { seed: false },
    { prefix: '/ai-workflows/api', permissionsOf: { nora: permissions, thief: permissions } },
  )
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const value = 'a value that only nora knows'

/** `thief` saves a flow that calls an API, and nora runs it. */
async function runOfThief(id: string, call: object) {
  const steps = [{ id: 'call', type: 'external_api', api: { url: api.url, ...call } }]
  await server.post('/flows', { flow_definition: { id, label: 'Useful', steps } }, { as: 'thief' })
  const { status, body } = await server.post('/execute-flow', { flow_id: id, context: {} })
  return [status, body.error?.code]
}

test('The author of a flow gets the secrets of the accounts that run it', async () => {
  expect((await server.post('/secrets', { name: 'key', value })).status).toBe(400)
  await server.post('/secrets', { name: 'key', value, allowed_hosts: ['api.example.com'] })
  const call = { headers: { 'x-key': '{{secrets.key}}' } }
  expect(await runOfThief('with_hosts', call)).toEqual([422, 'EXTERNAL_API_REFUSED'])
  // As earlier releases stored it.
  await server.database.query(`update connections set allowed_hosts = '{}'`)
  expect(await runOfThief('without_hosts', call)).toEqual([422, 'EXTERNAL_API_REFUSED'])
  expect(api.requests).toEqual([])
})

test('Credentials are read on the way, because a flow calls an allowed host with http', async () => {
  await server.post('/connections', {
    name: 'shop',
    kind: 'bearer',
    credentials: { token: value },
    allowed_hosts: [api.host],
  })
  expect(await runOfThief('plain', { connection: 'shop' })).toEqual([422, 'EXTERNAL_API_REFUSED'])
  expect(api.requests).toEqual([])
})
