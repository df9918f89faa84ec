import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '#kernel/outbound'
import { createLogger } from '#kernel/telemetry'
import { calculator, createWebPageTool } from '../../src/engine/tools/builtin-tools.ts'
import { createHttpTool, describeBadUrl, type HttpOperation } from '../../src/engine/tools/http-tool.ts'
import { createMcpTool, findMcpTools } from '../../src/engine/tools/mcp-tool.ts'
import { fetchDocument, resolveOperation } from '../../src/engine/tools/openapi-tool.ts'
import { createSearchTool } from '../../src/engine/tools/search-tool.ts'
import { callTool, maxResultLength, type Tool } from '../../src/engine/tools/tool.ts'

const closing = new AsyncDisposableStack()
const outbound = createOutbound({
  allow: ['127.0.0.1'],
  log: createLogger({ level: 'silent', format: 'json' }),
})
const received: { readonly request: IncomingMessage; readonly body: string }[] = []
let url: string

const petStore = {
  openapi: '3.1.0',
  servers: [{ url: '/v2' }],
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: {
        operationId: 'getOrder',
        summary: 'Reads an order.',
        parameters: [{ name: 'fields', in: 'query', schema: { type: 'string' } }],
      },
      put: {
        operationId: 'changeOrder',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
      },
    },
    '/tree': {
      get: {
        operationId: 'endless',
        parameters: [{ name: 'x', in: 'query', schema: { $ref: '#/components/schemas/Tree' } }],
      },
    },
    '/far': { get: { operationId: 'far', parameters: [{ $ref: 'https://other.example/p.json' }] } },
  },
  components: {
    parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
    schemas: {
      Order: { type: 'object', properties: { note: { type: 'string' } } },
      Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } },
    },
  },
}

/** The response of a search service to a query. */
function searchResults(at: string): string {
  const query = new URLSearchParams(at.slice(at.indexOf('?')))
  if (query.get('format') !== 'json' || query.get('q') === 'html') return '<h1>Results</h1>'
  const results = [
    { title: 'Green\n tea', url: 'https://example.com/tea', content: 'How to make it.' },
    { url: 'https://example.com/b', content: null },
    { title: 'Third', url: 'https://example.com/c' },
  ]
  return JSON.stringify({ results: query.get('q') === 'green tea' ? results : [] })
}

/** The API, the page and the document of the tests, by their path. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  received.push({ request, body })
  const at = request.url ?? ''
  if (at.startsWith('/hang')) return
  if (at.startsWith('/openapi.json')) response.end(JSON.stringify(petStore))
  else if (at.startsWith('/searxng/search?')) response.end(searchResults(at))
  else if (at.startsWith('/missing'))
    response.writeHead(404, { 'content-type': 'text/plain' }).end('No such order.')
  else if (at.startsWith('/large'))
    response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(200_000))
  else if (at.startsWith('/image'))
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(10))
  else if (at.startsWith('/page')) {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<!doctype html><html><body><h1>Tea</h1><script>alert(1)</script><p>It is <b>green</b>.</p></body></html>',
      )
  } else response.writeHead(200, { 'content-type': 'application/json' }).end('{"fine": true}')
}

beforeAll(async () => {
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  closing.defer(() => server.close().closeAllConnections())
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => closing.disposeAsync())

const context = (signal = new AbortController().signal) => ({
  executionId: 'e1',
  accountId: 'ada',
  idempotencyKey: 'e1/agent/1/$call_0',
  signal,
})
const get = (path: string) => httpTool({ method: 'GET', url: path })
const httpTool = (operation: Omit<HttpOperation, 'parameters'>) =>
  createHttpTool({
    name: 'search',
    description: 'Searches.',
    operation: { ...operation, parameters: {} },
    outbound,
  })

describe('an HTTP tool', () => {
  test('encodes its arguments, so that they stay values', async () => {
    const tool = httpTool({
      method: 'GET',
      url: `${url}/find/{{arguments.q}}?page={{ arguments.page }}`,
      query: ['tag'],
      headers: ['x-note'],
    })
    const given = { q: '../../admin?x=1#', page: 2, tag: ['a&b', 'c'], 'x-note': 'one\r\nx-evil: 1' }
    expect(await callTool(tool, given, context())).toEqual({ text: '{"fine": true}', isError: false })
    const { request } = received.at(-1) ?? {}
    expect(request?.url).toBe('/find/..%2F..%2Fadmin%3Fx%3D1%23?page=2&tag=a%26b&tag=c')
    expect(request?.headers).toMatchObject({ 'x-note': 'one  x-evil: 1' })
    expect(request?.headers).not.toHaveProperty('x-evil')
    expect(request?.headers).not.toHaveProperty('idempotency-key')
  })

  test('sends a body with the idempotency key', async () => {
    await callTool(
      httpTool({ method: 'POST', url: `${url}/orders`, body: 'order' }),
      { order: { tea: 1 } },
      context(),
    )
    const { request, body } = received.at(-1) ?? {}
    expect([request?.method, body]).toEqual(['POST', '{"tea":1}'])
    expect(request?.headers).toMatchObject({
      'idempotency-key': 'e1/agent/1/$call_0',
      'content-type': 'application/json',
    })
  })

  test('turns failures into results: a status, a refused address, no response', async () => {
    expect(await callTool(get(`${url}/missing`), {}, context())).toEqual({
      text: 'Status 404: No such order.',
      isError: true,
    })
    expect(await callTool(get('http://169.254.169.254/latest'), {}, context())).toMatchObject({
      isError: true,
    })
    expect(await callTool({ ...get(`${url}/hang`), timeoutMs: 200 }, {}, context())).toEqual({
      text: 'The tool search did not respond within 0.2 s.',
      isError: true,
    })
    expect(await callTool(get(`${url}/image`), {}, context())).toEqual({
      text: '[image/png, 10 bytes]',
      isError: false,
    })
  })

  test('cuts a long result, with a mark', async () => {
    const { text: shown, isCut } = await callTool(
      httpTool({ method: 'GET', url: `${url}/large` }),
      {},
      context(),
    )
    expect([shown.length, isCut]).toEqual([maxResultLength, true])
    expect(shown).toMatch(/\[cut: the result has 200000 characters\]$/)
  })

  test('ends when its execution is cancelled', async () => {
    const abort = new AbortController()
    const running = callTool(httpTool({ method: 'GET', url: `${url}/hang` }), {}, context(abort.signal))
    abort.abort(new Error('cancelled by the test'))
    await expect(running).rejects.toThrow('cancelled by the test')
  })

  test.each([
    ['https://{{arguments.host}}/x', 'must name its host'],
    ['https://api.example{{arguments.more}}/x', 'must name its host'],
    ['https://user:pass@api.example/x', 'must name its host'],
    ['ftp://api.example/x', 'must begin with'],
    ['https://api.example/{{context.key}}', 'only placeholders such as'],
    ['nonsense', 'is not a URL'],
  ])('refuses the URL %s', (given, why) => {
    expect(describeBadUrl(given)).toContain(why)
  })
})

describe('an operation of an OpenAPI document', () => {
  test('is resolved once, with its parameters and its body', async () => {
    const source = { url: `${url}/openapi.json`, operation: 'getOrder' }
    const document = await fetchDocument(source.url, { outbound, accountId: 'ada' })
    const operation = resolveOperation(document, source)
    expect(operation).toEqual({
      method: 'GET',
      url: `${url}/v2/orders/{{arguments.id}}`,
      query: ['fields'],
      headers: [],
      body: undefined,
      description: 'Reads an order.',
      parameters: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, fields: { type: 'string' } },
        additionalProperties: false,
      },
    })
    const tool = createHttpTool({
      name: 'get_order',
      description: operation.description,
      operation,
      outbound,
    })
    expect(await callTool(tool, { id: 7, fields: 'all' }, context())).toMatchObject({ isError: false })
    expect(received.at(-1)?.request.url).toBe('/v2/orders/7?fields=all')
    expect(resolveOperation(petStore, { ...source, operation: 'changeOrder' })).toMatchObject({
      method: 'PUT',
      body: 'body',
      parameters: {
        required: ['id', 'body'],
        properties: { body: { properties: { note: { type: 'string' } } } },
      },
    })
  })

  test.each([
    ['nothing', 'has no operation "nothing"'],
    ['endless', 'contains itself'],
    ['far', 'reference to another document'],
  ])('%s is refused with the reason', (operation, why) => {
    expect(() => resolveOperation(petStore, { url, operation })).toThrow(why)
  })

  test('of another version, or of a document that is none, is refused', async () => {
    expect(() => resolveOperation({ swagger: '2.0' }, { url, operation: 'x' })).toThrow('version 3.0 or 3.1')
    const page = fetchDocument(`${url}/page`, { outbound, accountId: 'ada' })
    await expect(
      page.then((document) => resolveOperation(document, { url, operation: 'x' })),
    ).rejects.toThrow(/neither JSON nor YAML|version 3.0/)
  })
})

test('the calculator calculates, and explains what it cannot', async () => {
  expect(await callTool(calculator, { expression: '(3 + 4) * 6' }, context())).toEqual({
    text: '42',
    isError: false,
  })
  expect(await callTool(calculator, { expression: '1 / 0' }, context())).toMatchObject({ isError: true })
})

test('search returns titles, addresses and snippets', async () => {
  const tool = createSearchTool({ url: `${url}/searxng`, outbound })
  const found = await callTool(tool, { query: 'green tea', count: 2 }, context())
  expect(found).toEqual({
    text: '1. Green tea\nhttps://example.com/tea\nHow to make it.\n\n2. https://example.com/b',
    isError: false,
  })
  expect(await callTool(tool, { query: 'nothing' }, context())).toMatchObject({ text: 'Nothing was found.' })
  expect(await callTool(tool, { query: 'html' }, context())).toMatchObject({ isError: true })
})

test('web_page returns the text of a page', async () => {
  const tool: Tool = createWebPageTool({ outbound })
  const page = await callTool(tool, { url: `${url}/page` }, context())
  expect(page).toMatchObject({ isError: false })
  expect(page.text).toContain('It is green.')
  expect(page.text).not.toContain('alert')
  expect(await callTool(tool, { url: `${url}/image` }, context())).toMatchObject({ isError: true })
  expect(await callTool(tool, { url: 'file:///etc/passwd' }, context())).toMatchObject({ isError: true })
})

test('tools of an MCP server get names that providers allow, and missing ones are problems', async () => {
  const calls: unknown[] = []
  const clients = {
    listTools: async () => ({
      tools: [{ name: 'files.read', description: null, inputSchema: { type: 'object' } }],
    }),
    callTool: async (call: object) => {
      calls.push(call)
      return { text: 'done', isError: false }
    },
  }
  const { tools, problems } = await findMcpTools({ server: 'files', names: ['files.read', 'write'], clients })
  expect(problems).toEqual(['The MCP server "files" has no tool "write".'])
  expect(tools.map(({ name }) => name)).toEqual(['files_read'])
  for (const tool of tools)
    await callTool(createMcpTool({ ...tool, server: 'files' }, clients), { path: 'a' }, context())
  expect(calls).toMatchObject([
    { server: 'files', tool: 'files.read', arguments: { path: 'a' }, accountId: 'ada' },
  ])
})
