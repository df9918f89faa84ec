import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { longNumbersIn } from '../support/numbers-in.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { says } from './orchestra-model.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'
import { openStream } from './streams-client.ts'

const workflows = '/ai-workflows/api'
const as = 'mara'

const asks = (id: string, model: string | undefined, dependencies: string[] = []) => ({
  id,
  type: 'ai_prompt',
  prompt: `Say something about ${id}.`,
  dependencies,
  ...(model !== undefined && { ai_options: { model } }),
})

/** Both APIs with a local node and a cloud provider of unknown prices. */
describe('numbers of executions', () => {
  const closing = new AsyncDisposableStack()
  let server: OrchestraServer
  let openai: OpenAiServer
  let node: ModelNode
  /** An external API, which fails while it is broken. */
  const api = { url: '', isBroken: false }

  beforeAll(async () => {
    openai = closing.use(await startOpenAiServer())
    node = closing.use(await startModelNode())
    const elsewhere = createServer((_, response) => {
      response.writeHead(api.isBroken ? 400 : 200, { 'content-type': 'application/json' })
      response.end('{"fine": true}')
    }).listen(0, '127.0.0.1')
    closing.defer(() => elsewhere.close().closeAllConnections())
    await once(elsewhere, 'listening')
    api.url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/data`
    server = closing.use(
      await startOrchestraServer({
        environment: {
          OPENAI_API_KEY: 'sk-test',
          OPENAI_BASE_URL: openai.baseUrl,
          OPENAI_PRICE_LIST: 'none',
          RUNTIME_NODE_URL: node.url,
        },
      }),
    )
  })
  afterAll(() => closing.disposeAsync())

  const run = async (flow_id: string, options: object = {}) => {
    const body = { flow_id, context: { content: 'A text.' }, options }
    return (await server.post(`${workflows}/execute-flow`, body, { as })).body
  }

  async function read(path: string) {
    const { status, body } = await server.call(path, { as })
    expect([path, status]).toEqual([path, 200])
    return body
  }

  /** The events of the stream of a finished execution. */
  async function streamOf(id: string) {
    await using stream = await openStream(
      `${server.url}${workflows}/execution-stream/${id}`,
      server.headersOf(as),
    )
    await stream.over
    return stream.heard.map(({ event, data }) => ({ event, data }))
  }

  /** All responses of both APIs about a finished execution. */
  async function everythingAbout(id: string) {
    const { executions } = await read(`${workflows}/executions?search=${id}`)
    return {
      result: await read(`${workflows}/executions/${id}`),
      status: await read(`${workflows}/execution-status/${id}`),
      trace: await read(`${workflows}/executions/${id}/trace`),
      listed: executions[0],
      stream: await streamOf(id),
      orchestra: await read(`/workflow-status/${id}`),
    }
  }

  test('costs are numbers: local models are free, and unpriced ones are marked', async () => {
    const flow = await server.save([
      asks('local', 'gemma3:4b'),
      asks('near', 'builtin:text', ['local']),
      asks('cloud', 'openai/gpt-4o-mini', ['near']),
    ])
    openai.script(says('Something.'), says('Something.'))
    const body = await run(flow)
    const free = { cost: 0, unpriced: false }
    const unknown = { cost: 0, unpriced: true }
    expect(body.step_results).toMatchObject({ local: free, near: free, cloud: unknown })
    expect(body.execution_summary).toMatchObject({ total_cost: 0, unpriced: true })

    const { status, trace, listed, stream, orchestra } = await everythingAbout(body.execution_id)
    expect(status.completed_steps).toMatchObject([free, free, unknown])
    expect(status.cost_tracking).toMatchObject({ current_cost: 0, unpriced: true })
    expect(trace.steps).toMatchObject([free, free, unknown])
    expect(listed).toMatchObject({ total_cost: 0, unpriced: true })
    expect(orchestra.metrics).toMatchObject({ cost_estimate: 0, unpriced: true })
    expect(stream.filter(({ event }) => event === 'step_completed')).toMatchObject([
      { data: free },
      { data: free },
      { data: unknown },
    ])
    expect(stream.at(-1)).toMatchObject({
      event: 'execution_completed',
      data: { total_cost: 0, unpriced: true },
    })

    const again = await server.post(
      '/execute-workflow',
      { workflow_id: flow, context: { content: 'x' } },
      { as },
    )
    expect(again.body.result).toMatchObject({
      cost_estimate: 0,
      unpriced: true,
      step_details: [free, free, unknown],
    })
  })

  test('a queued execution costs 0 so far, as a number', async () => {
    const flow = await server.save([asks('cloud', 'openai/gpt-4o-mini')])
    openai.script(says('Something.'))
    const request = { workflow_id: flow, context: { content: 'x' }, options: { async: true } }
    const { status, body } = await server.post('/execute-workflow', request, { as })
    expect([status, body.result.cost_estimate]).toEqual([202, 0])
  })

  test('all report one duration, which excludes idle time before a recovery', async () => {
    const flow = await server.save([
      asks('first', 'gemma3:4b'),
      { id: 'call', type: 'external_api', api: { url: api.url, method: 'GET' }, dependencies: ['first'] },
    ])
    api.isBroken = true
    const failed = await run(flow)
    const id: string = failed.error.details.execution_id
    api.isBroken = false
    // Moves everything half an hour into the past.
    await server.database.query(
      `
        update engine_executions set created_at = created_at - interval '30 minutes',
          started_at = started_at - interval '30 minutes', finished_at = finished_at - interval '30 minutes'
        where id = $1
      `,
      [id],
    )
    await server.post(`${workflows}/executions/${id}/recover`, { action: 'restart_from_checkpoint' }, { as })
    await eventually(async () => (await read(`${workflows}/execution-status/${id}`)).status === 'completed')

    const { result, status, trace, listed, stream, orchestra } = await everythingAbout(id)
    const time: number = result.execution_summary.execution_time
    expect(time).toBeLessThan(600)
    expect(time).toBeGreaterThanOrEqual(
      Math.max(...result.execution_timeline.map((step: { duration: number }) => step.duration)),
    )
    expect({
      total: result.performance_metrics.total_execution_time,
      status: status.timing.elapsed_time,
      trace: trace.execution_time,
      list: listed.duration,
      stream: stream.at(-1)?.data.duration,
      orchestra: [orchestra.elapsed_time, orchestra.metrics.execution_time],
    }).toEqual({
      total: time,
      status: time,
      trace: time,
      list: time,
      stream: time,
      orchestra: [time, time],
    })
    const started: number[] = trace.steps.map((step: { started_at: number }) => step.started_at)
    expect(trace.started_at).toBeLessThanOrEqual(Math.min(...started))

    const analytics = await read(`${workflows}/analytics/flows?timeframe=1h&flow_ids=${flow}`)
    expect(analytics.flow_performance[flow]).toMatchObject({
      average_duration: time,
      median_duration: time,
      p95_duration: time,
    })
    const metrics = await read(`/workflow-metrics?timeframe=1h&flow_ids=${flow}`)
    expect(metrics.metrics).toMatchObject({ average_duration: time, median_duration: time })
  })

  test('are rounded', async () => {
    const flow = await server.save([
      asks('first', 'gemma3:4b'),
      { id: 'call', type: 'external_api', api: { url: api.url, method: 'GET' }, dependencies: ['first'] },
      asks('last', undefined, ['call']),
    ])
    const body = await run(flow, { monitoring: { enable_detailed_logging: true } })
    const told = {
      body,
      ...(await everythingAbout(body.execution_id)),
      step: await read(`${workflows}/executions/${body.execution_id}/steps/call`),
      logs: await read(`${workflows}/executions/${body.execution_id}/logs`),
      analytics: await read(`${workflows}/analytics/flows?include_predictions=true`),
      metrics: await read('/workflow-metrics'),
      agents: await read('/agents?include_metrics=true'),
      live: await read('/live-status'),
      performance: await read('/metrics/performance?include_predictions=true'),
      flows: await read(`${workflows}/flows`),
    }
    expect(body.step_results.call).toMatchObject({ api_response_time: expect.any(Number) })
    expect(longNumbersIn(told)).toEqual([])
  })

  test('an unused preferred provider is reported with the reason', async () => {
    const flow = await server.save([asks('any', undefined), asks('named', 'builtin:text', ['any'])])
    const body = await run(flow, { ai_options: { preferred_providers: ['cohere', 'anthropic'] } })
    expect(body.warnings).toEqual([
      expect.objectContaining({
        type: 'preferred_provider_not_used',
        step: 'any',
        message:
          'preferred_providers: ollama was used, because "cohere" is not a known provider (known are ollama, openai, anthropic, gemini, builtin), and "anthropic" has no default model available.',
      }),
      expect.objectContaining({
        type: 'preferred_provider_not_used',
        step: 'named',
        message: expect.stringContaining('"anthropic" does not offer the model "builtin:text"'),
      }),
    ])
    const used = await run(flow, { ai_options: { preferred_providers: ['ollama', 'builtin'] } })
    expect(used.warnings).toEqual([])
  })

  test('a preferred provider that no recommended agent or flow would use is reported with the reason', async () => {
    const preferred_providers = ['cohere', 'anthropic', 'ollama']
    const agents = await server.post(
      '/agents/recommend',
      { context: { content_type: 'article' }, requirements: { preferred_providers } },
      { as },
    )
    const flows = await server.post(
      `${workflows}/recommend-flows`,
      { context: { content_type: 'article' }, preferences: { preferred_providers } },
      { as },
    )
    for (const { status, body } of [agents, flows]) {
      expect(status).toBe(200)
      expect(body.warnings).toEqual([
        expect.objectContaining({ message: expect.stringContaining('"cohere": there is no such provider') }),
        expect.objectContaining({ message: expect.stringContaining('"anthropic": it has no models here') }),
      ])
    }
  })
})
