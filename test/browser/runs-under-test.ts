import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'

/** A console, and a service for workflows that fails on every path that starts with `/broken`. */
export interface RunsUnderTest extends AsyncDisposable {
  readonly tutti: ConsoleUnderTest
  readonly serviceUrl: string
  save(steps: readonly object[], metadata?: object): Promise<SavedFlow>
  /** Saves a flow and enqueues an execution of it. */
  start(steps: readonly object[], options?: StartOptions): Promise<SavedFlow & { readonly id: string }>
}

export interface SavedFlow {
  readonly flow: string
  readonly label: string
}

interface StartOptions {
  readonly context?: object
  readonly approval_required?: boolean
}

export async function openRuns(): Promise<RunsUnderTest> {
  await using opening = new AsyncDisposableStack()
  const service = createServer(({ url = '' }, response) => {
    const works = !url.startsWith('/broken')
    response.writeHead(works ? 200 : 503, { 'content-type': 'application/json', 'x-reason': 'maintenance' })
    response.end(
      works ? '{"price": 42}' : `{"error": "closed for repairs", "lines": "${'again '.repeat(60)}"}`,
    )
  })
  opening.defer(() => void service.close())
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve)
  })
  const tutti = opening.use(await openConsole({ TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }))
  const opened = opening.move()
  let saved = 0

  async function save(steps: readonly object[], metadata: object = {}): Promise<SavedFlow> {
    saved += 1
    const flow = `run_${saved}`
    const label = `Run ${saved}`
    await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
      flow_definition: { id: flow, label, steps },
      metadata,
    })
    return { flow, label }
  }

  return {
    tutti,
    serviceUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    save,
    async start(steps, { context = { content: 'A text.' }, ...metadata } = {}) {
      const flow = await save(steps, metadata)
      const { execution_id: id } = await administer<{ execution_id: string }>(
        tutti.platform,
        'POST',
        '/ai-workflows/api/execute-flow-async',
        { flow_id: flow.flow, context },
      )
      return { ...flow, id }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const fetchFrom = (url: string, more: object = {}) => ({
  id: 'fetch',
  label: 'Fetch prices',
  type: 'external_api',
  api: { url, method: 'GET', retry_attempts: 0 },
  retry_config: { max_attempts: 1 },
  ...more,
})

export const merge = (id: string, more: object = {}) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'] }],
  ...more,
})

export const stateOf = (page: Page) => page.locator('dl').first()
export const timeline = (page: Page) => page.getByRole('list', { name: 'Steps over time' })
