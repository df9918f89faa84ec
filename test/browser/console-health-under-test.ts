import type { Locator, Page } from 'playwright-core'
import { startQdrantServer, type VectorServer } from '../http/status-vector-servers.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import type { OpenPlatformOptions } from '../support/platform.ts'
import { addPerson, administer, type Person } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

const openAiKey = 'sk-test-that-is-right-0abc'

/** Rounds run on request, a single probe decides, and a busy machine makes nothing slow. */
const patientConfig = {
  interval_seconds: 600,
  timeout_seconds: 20,
  slow_ms: {
    database: 20_000,
    queue: 60_000,
    disk: 20_000,
    ollama: 20_000,
    openai: 20_000,
    vector_db: 20_000,
  },
  weights: { database: 30, queue: 20, disk: 10, ollama: 15, openai: 10, anthropic: 10, vector_db: 0, mcp: 5 },
  damping: { worse: 1, better: 1, flapping_changes: 100 },
}

/** A console with scripted services, whose state changes with a single probe. */
export interface HealthUnderTest extends AsyncDisposable {
  readonly tutti: ConsoleUnderTest
  readonly node: ModelNode
  readonly vectors: VectorServer
  /** Closes or opens the port of the fake OpenAI server. */
  leave(): Promise<void>
  comeBack(): Promise<void>
  /** Probes all services once. */
  probe(): Promise<void>
  configure(change: object): Promise<void>
  /** Resets all services to healthy. */
  reset(): Promise<void>
}

export async function openHealth(options: OpenPlatformOptions = {}): Promise<HealthUnderTest> {
  await using opening = new AsyncDisposableStack()
  const node = opening.use(await startModelNode({ models: ['gemma3:4b'], loaded: ['gemma3:4b'] }))
  const openai = opening.use(await startOpenAiServer({ apiKey: openAiKey }))
  const vectors = opening.use(await startQdrantServer())
  const tutti = opening.use(
    await openConsole(
      {
        TUTTI_QDRANT_URL: vectors.url,
        CLUSTER_NODES: node.url,
        HEALTH_CHECK_INTERVAL: '200',
        OPENAI_API_KEY: openAiKey,
        OPENAI_BASE_URL: openai.baseUrl,
      },
      options,
    ),
  )
  const { platform } = tutti
  // The limit is thirty times a minute, and the tests are faster than that.
  const operators: Person[] = []
  for (const name of ['clara', 'fanny', 'nadia', 'amy']) {
    operators.push(await addPerson(platform, name, ['administrator']))
  }
  let turn = 0
  const operate = async (method: string, path: string, body?: object) => {
    turn += 1
    await administer(
      { ...platform, admin: operators[turn % operators.length] ?? platform.admin },
      method,
      path,
      body,
    )
  }
  const probe = () => operate('POST', '/admin/llm/probe')
  const configure = (change: object) => operate('PUT', '/admin/llm/config', change)
  let isAway = false
  const leave = async () => {
    isAway = true
    await openai.close()
  }
  const comeBack = async () => {
    if (isAway) await openai.open()
    isAway = false
  }
  await configure(patientConfig)
  const opened = opening.move()
  return {
    tutti,
    node,
    vectors,
    leave,
    comeBack,
    probe,
    configure,
    async reset() {
      await configure(patientConfig)
      await comeBack()
      await node.behave('normal')
      vectors.behave('normal')
      await eventually(async () => {
        await probe()
        return (
          (await administer<{ overallScore: number }>(platform, 'GET', '/api/llm/health')).overallScore ===
          100
        )
      }, 500)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Waits until the page has loaded and receives events. */
export async function waitForHealth(page: Page): Promise<void> {
  await waitForPage(page, 'Health')
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
}

/** The value with this label in the strip at the top. */
export function cellOf(page: Page, name: string): Locator {
  return page
    .locator('main dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
}

export function serviceRow(page: Page, name: string): Locator {
  return page
    .getByRole('table', { name: 'Services', exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) })
}

export function incidentRow(page: Page, title: string | RegExp): Locator {
  return page
    .getByRole('table', { name: 'Incidents', exact: true })
    .getByRole('row')
    .filter({ hasText: title })
}
