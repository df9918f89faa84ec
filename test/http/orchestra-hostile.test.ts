import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createValueCheck } from '#kernel/http'
import { OrchestraError } from '../../src/orchestra/api.ts'
import { plain } from '../database/orchestra-agents-scene.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

const checkError = createValueCheck(OrchestraError)

/** Invalid values, and values that could break a database, a template, a URL or a mail. */
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '',
  ' ',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'x'.repeat(3000),
  '{{__proto__}}',
  '{{content',
  'a@b.example\r\nBcc: c@d.example',
  'http://10.0.0.1/',
  [],
  [null],
  {},
  { constructor: 1 },
]

const agent = {
  ...plain,
  id: 'probe',
  output_format: 'json',
  output_schema: { type: 'object', properties: { text: { type: 'string' } } },
  analysis_output: { text: '{{content}} {{tone}}' },
  prompt: 'About {{content}}, {{tone}}',
  ai_options: { model: 'auto', temperature: 1, max_tokens: 10 },
  parameters: { tone: { description: 'How.', default: 'calm', choices: ['calm', 'loud'] } },
  pricing: { base_cost: 0, per_token: 0, bulk_discount: 0, enterprise_rate: 1 },
  analysers: [{ analyser: 'length' }],
  checks: [{ check: 'min_length', field: 'text', least: 1, on_failure: 'warn' }],
  conclusion: { decision: '{{text}}' },
}

const requests: readonly (readonly [string, string, object])[] = [
  ['POST', '/agents', { agent_definition: agent, status: 'active', note: 'x' }],
  ['PUT', '/agents/known', { agent_definition: { ...agent, id: 'known' }, note: 'x', expected_version: 1 }],
  ['POST', '/agents/known/rollback', { version: 1, note: 'x', expected_version: 1 }],
  ['POST', '/agents/known/rating', { rating: 5, comment: 'x', execution_id: 'x' }],
  [
    'POST',
    '/agents/recommend',
    {
      context: {
        language: 'en',
        content_length: 5,
        deadline: '2031-01-01T00:00:00Z',
        seo_requirements: ['x'],
      },
      requirements: { max_cost: 1, preferred_providers: ['builtin'], exclude_agents: ['known'] },
      preferences: { prioritize: 'cost', explain_recommendations: true },
    },
  ],
  [
    'POST',
    '/workflows',
    {
      label: 'x',
      mode: 'parallel',
      tags: ['x'],
      agents: [{ agent: 'known', id: 'one', agent_version: 1, input: 'x', parameters: { tone: 'calm' } }],
    },
  ],
  [
    'POST',
    '/execute-workflow',
    {
      workflow_id: 'untouched',
      context: { content: 'x', user_id: 1, metadata: { source: 'x', priority: 'normal' } },
      options: {
        async: true,
        timeout: 10,
        retry_attempts: 0,
        notification_email: 'a@b.example',
        monitoring: { send_progress_updates: true },
      },
    },
  ],
  ['POST', '/workflow-cancel/00000000-0000-0000-0000-000000000000', { reason: 'x', force: true }],
  [
    'POST',
    '/webhooks',
    { url: 'http://10.0.0.1/', events: ['workflow.completed'], retry_config: { timeout: 1 } },
  ],
]

describe('with any input', () => {
  let server: OrchestraServer

  beforeAll(async () => {
    server = await startOrchestraServer({ requestsPerHour: 1_000_000 })
    await server.post('/agents', { agent_definition: { ...agent, id: 'known' } }, { as: 'mara' })
    await server.post('/workflows', { id: 'known', label: 'x', agents: ['known'] }, { as: 'mara' })
    // The requests below change the agent above arbitrarily, also to one that fails; this one stays unchanged.
    await server.post('/agents', { agent_definition: { ...agent, id: 'untouched' } }, { as: 'mara' })
    await server.post('/workflows', { id: 'untouched', label: 'x', agents: ['untouched'] }, { as: 'mara' })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test.for(requests)('%s %s responds in the format of the API', async ([method, path, good]) => {
    const places = [...placesIn(good)]
    const change = fc.record({
      place: fc.constantFrom(...places),
      value: fc.constantFrom(...values),
      // Replaces a field, or adds one.
      name: fc.option(fc.constantFrom('__proto__', 'constructor', 'colour'), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ place, value, name }) => {
        const body = changed(good, place, value, name)
        const answer = await server.call(path, { as: 'mara', method, body })
        const told = JSON.stringify([body, answer.status, answer.body]).slice(0, 2000)
        expect(answer.status, told).toBeLessThan(500)
        if (answer.status >= 300) expect(checkError(answer.body), told).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test.for([
    {},
    { context: {} },
    { context: null },
    { context: { content: null } },
    { context: { content: ' ' } },
  ])('a workflow without input is refused: %j', async (given) => {
    const { status, body } = await server.post('/execute-workflow', { workflow_id: 'known', ...given })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).toContain('context.content')
  })

  test('null for an option equals an omitted one', async () => {
    const { status } = await server.post('/execute-workflow', {
      workflow_id: 'untouched',
      context: { content: 'Some text.', user_id: null, own: { kept: null } },
      options: {
        async: null,
        timeout: null,
        callback_url: null,
        notification_email: null,
        monitoring: { send_progress_updates: null },
      },
    })
    expect(status).toBe(200)
  })

  test('a label with several lines is refused', async () => {
    for (const label of ['two\nlines', 'a\u2028b', 'bell\u0007', ' ']) {
      const made = [
        await server.post('/agents', { agent_definition: { ...agent, id: 'other', label } }, { as: 'mara' }),
        await server.post('/workflows', { label, agents: ['known'] }, { as: 'mara' }),
        await server.post('/workflows', { label: 'x', agents: [{ agent: 'known', label }] }, { as: 'mara' }),
      ]
      for (const { status, body } of made) {
        expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
        expect(body.error.message).toContain('must be one line of text')
      }
    }
  })

  test.for([
    '/agents/%00',
    '/agents/..%2f..%2fetc',
    '/agents/__proto__',
    `/agents/${'x'.repeat(201)}`,
    '/agents/known?version=2147483648',
    '/agents?limit=1&limit=2',
    '/agents?sort[]=cost',
    '/workflows/%00',
    '/workflow-status/%00',
    '/workflow-metrics?flow_ids[0]=known',
    '/agent-analytics?agent_ids=%00',
    '/metrics/performance?timeframe=1e309',
    '/webhooks/%00',
    '/webhooks/x/verify/%00',
    '/live-stream?last_event_id=-1',
  ])('%s is refused in the format of the API', async (path) => {
    const { status, body } = await server.call(path, { as: 'mara' })
    expect([400, 404]).toContain(status)
    expect(checkError(body)).toEqual([])
  })
})

type Place = readonly (string | number)[]

function* placesIn(value: unknown, place: Place = []): Generator<Place> {
  if (place.length > 0) yield place
  if (typeof value !== 'object' || value === null) return
  const names = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const name of names) yield* placesIn((value as Record<string, unknown>)[name], [...place, name])
}

function changed(good: object, place: Place, value: unknown, name: string | undefined): unknown {
  const copy = structuredClone(good)
  const parent = place.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy)
  // By definition, not by assignment: `__proto__` must be an ordinary field.
  Object.defineProperty(parent, name ?? place.at(-1) ?? '', {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return copy
}
