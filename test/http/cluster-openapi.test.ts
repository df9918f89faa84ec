import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '#kernel/http'
import { startClusterService, type TestClusterService } from '../support/cluster-service.ts'

interface Operation {
  readonly 'x-access': string
  readonly description: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody: {
    readonly content: Record<string, { schema: { required: string[]; properties: object } }>
  }
  readonly responses: Record<string, { readonly content: object }>
}

let service: TestClusterService
let document: OpenApiDocument

beforeAll(async () => {
  service = await startClusterService({
    environment: { CLUSTER_API_KEY: 'correct horse', CLUSTER_SESSION_HEADER: 'X-Chat' },
  })
  document = (await (await service.get('/openapi.json')).json()) as OpenApiDocument
})
afterAll(() => service.close())

const operation = (method: 'get' | 'post' | 'put', path: string) =>
  document.paths[path]?.[method] as unknown as Operation

describe('the OpenAPI document of the service', () => {
  test('is valid and complete, for each API', async () => {
    const names = [
      '/openapi',
      '/openapi/cluster',
      '/openapi/runtime',
      '/openapi/compatible',
      '/openapi/messages',
    ]
    // Fetched first: validating blocks the event loop, and the service of the same process then sheds load with 503.
    const documents = await Promise.all(
      names.map(
        async (name) => (await service.get(`${name}.json`)).json() as Promise<Record<string, unknown>>,
      ),
    )
    for (const described of documents) {
      expect(await new Validator().validate(described)).toMatchObject({ valid: true })
    }
  })

  test.each([
    ['/api/generate', 'application/x-ndjson', ['prompt', 'stream']],
    ['/api/chat', 'application/x-ndjson', ['messages', 'stream']],
    ['/api/embed', undefined, ['input']],
    ['/api/embeddings', undefined, ['prompt']],
    ['/api/show', undefined, []],
    ['/v1/chat/completions', 'text/event-stream', ['messages', 'stream']],
    ['/v1/completions', 'text/event-stream', ['prompt', 'stream']],
    ['/v1/embeddings', undefined, ['input']],
    ['/v1/messages', 'text/event-stream', ['messages', 'stream']],
    ['/v1/responses', 'text/event-stream', ['input', 'stream']],
    ['/v1/{*}', 'text/event-stream', []],
  ])('describes %s, which is proxied', (path, stream, fields) => {
    const told = operation('post', path)
    expect(told['x-access']).toBe('any signed-in account, scope `models.generate`')
    expect(told.description).toContain('are forwarded unchanged')
    const body = told.requestBody.content['application/json']?.schema
    expect(body?.required).toContain('model')
    expect(Object.keys(body?.properties ?? {})).toEqual(expect.arrayContaining(['model', ...fields]))
    expect(Object.keys(told.responses['200']?.content ?? {})).toEqual([
      'application/json',
      ...(stream === undefined ? [] : [stream]),
    ])
    expect(told.parameters.filter((it) => it.in === 'header').map(({ name }) => name)).toEqual([
      'x-chat',
      'x-cluster-strategy',
      ...(/^\/(api\/(chat|generate)|v1\/(chat\/)?completions)$/.test(path) ? ['x-cluster-continue'] : []),
      'x-priority',
      'x-cluster-caller',
    ])
  })

  test('lists every credential with each operation that needs one', () => {
    expect(document.components?.securitySchemes?.['apiKey']).toMatchObject({
      in: 'header',
      name: 'X-API-Key',
    })
    expect(operation('get', '/api/tags')).toMatchObject({
      security: [{ session: [] }, { bearer: [] }, { apiKey: [] }, { basic: [] }],
    })
  })

  test('states the required permission of each operation', () => {
    expect(operation('get', '/api/tags')['x-access']).toContain('scope `models.read`')
    expect(operation('get', '/v1/models')['x-access']).toContain('scope `models.read`')
    expect(operation('get', '/api/cluster/nodes')['x-access']).toContain('scope `models.read`')
    expect(operation('post', '/api/cluster/optimal')['x-access']).toContain('scope `models.generate`')
    expect(operation('post', '/api/cluster/execute')['x-access']).toContain('scope `models.generate`')
    expect(operation('post', '/api/cluster/nodes')['x-access']).toBe('permission `administer cluster`')
    expect(operation('put', '/api/cluster/strategy')['x-access']).toBe('permission `administer cluster`')
    expect(operation('get', '/health')['x-access']).toMatch(/^open/)
  })
})
