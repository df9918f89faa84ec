import { createPlatform } from '../../src/app/platform.ts'
import { readPlatformSettings } from '../../src/app/settings.ts'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { percentile } from '../summary.ts'
import { runExecutions } from './run-executions.ts'

const executions = Number(process.env['EXECUTIONS'] ?? 1000)
const answersOfEach = 40
const apiKey = 'a-key-of-a-benchmark-that-is-long-enough'

interface Question {
  readonly name: string
  readonly paths: readonly string[]
  readonly body?: object
}

const context = {
  content_type: 'article',
  content_length: 4500,
  language: 'en',
  current_quality_score: 55,
  seo_requirements: ['keywords', 'meta description'],
}

const questions: readonly Question[] = [
  { name: 'a workflow', paths: ['/workflows/content_review'] },
  {
    name: 'workflow-metrics',
    paths: ['1h', '24h', '7d', '30d'].map((time) => `/workflow-metrics?timeframe=${time}&group_by=day`),
  },
  { name: 'agent-analytics', paths: ['/agent-analytics'] },
  { name: 'live-status', paths: ['/live-status'] },
  { name: 'health', paths: ['/health?include_details=true'] },
  {
    name: 'metrics/performance',
    paths: ['1h', '24h', '7d', '30d'].map((time) => `/metrics/performance?timeframe=${time}`),
  },
  {
    name: 'agents/recommend',
    paths: ['/agents/recommend'],
    body: { context, preferences: { explain_recommendations: true } },
  },
]

function createCaller(url: string) {
  return async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}/ai-orchestra/api${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** Sequential requests, all timeframes in turn. */
function createContender({ name, paths, body }: Question, call: ReturnType<typeof createCaller>): Contender {
  return {
    name,
    async measure() {
      const took: number[] = []
      for (let index = 0; index < answersOfEach; index += 1) {
        const startedAt = performance.now()
        await call(paths[index % paths.length] ?? '', body)
        took.push(performance.now() - startedAt)
      }
      return {
        value: percentile(took, 0.95),
        beside: { 'p50 ms': percentile(took, 0.5), 'slowest ms': Math.max(...took) },
      }
    },
  }
}

const benchmark: Benchmark = {
  question: `How long does Orchestra take to answer after ${executions} executions?`,
  unit: 'ms p95',
  better: 'lower',
  baseline: 'a workflow',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database, url } = closing.use(await openBenchDatabase())
    const settings = readPlatformSettings({
      DATABASE_URL: url,
      PORT: '0',
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      DISCOVERY_PORTS: '',
      TUTTI_API_KEY: apiKey,
      TUTTI_CUSTOM_TIER: '10000000,1000,1000',
    })
    const platform = closing.use(await createPlatform(settings, { log: quiet }))
    const urls = await platform.listen()
    const call = createCaller(urls.console ?? '')
    await runExecutions(call, database, executions)
    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: questions.map((question) => createContender(question, call)),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
