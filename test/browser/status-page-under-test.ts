import type { BrowserContextOptions, Page } from 'playwright-core'
import { addToHistory } from '../../src/status/history/history.ts'
import type { ServiceName, ServiceState } from '../../src/status/services/service.ts'
import { type IncidentsServer, startIncidentsServer } from '../http/status-incidents-server.ts'
import { openBrowser } from '../support/browser.ts'

export const hostile = `<script>document.title = "taken"</script>&amp;'"]]><img src=x onerror="document.title='taken'">`
const wellNow = { database: 'online', queue: 'online', ollama: 'online', openai: 'online' } as const

interface Visit extends AsyncDisposable {
  readonly page: Page
  /** Every console message and uncaught exception so far. */
  readonly complaints: readonly string[]
}

/** The status page after three months, with a closed, an open and a scheduled incident. */
export interface StatusPageUnderTest extends AsyncDisposable {
  readonly server: IncidentsServer
  readonly ids: { readonly open: string; readonly planned: string }
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>
}

export async function openStatusPage(): Promise<StatusPageUnderTest> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startIncidentsServer())
  const browser = opening.use(await openBrowser())
  await rememberPast(server)
  // One closed, one open, one scheduled.
  for (const states of [
    { ...wellNow, ollama: 'offline' },
    wellNow,
    { ...wellNow, openai: 'offline' },
  ] as const) {
    server.find(states)
    await server.round()
  }
  const { incidents } = (await server.call('/admin/llm/incidents?status=open')).body
  const planned = await server.call('/admin/llm/incidents', {
    method: 'POST',
    body: {
      kind: 'maintenance',
      title: hostile,
      message: `${hostile}\n\nEverything will be slower for an hour.\n${'verylongword'.repeat(30)}`,
      services: ['database', 'queue'],
      starts_at: new Date(Date.now() + 86_400_000).toISOString(),
      ends_at: new Date(Date.now() + 90_000_000).toISOString(),
    },
  })
  const ids = { open: incidents[0].id, planned: planned.body.id }
  await server.call(`/admin/llm/incidents/${ids.open}/updates`, {
    method: 'POST',
    body: { message: 'The provider has found the cause.', state: 'identified' },
  })
  const opened = opening.move()
  return {
    server,
    ids,
    async visit(path, options = {}) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        // The icon is a file of the console, which this server does not have; not every Chromium requests it.
        if (!message.location().url.endsWith('/favicon.svg')) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${server.url}${path}`)
      return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Three months with a few bad hours, and days without any probe. */
async function rememberPast(server: IncidentsServer): Promise<void> {
  const hour = 3_600_000
  const names: readonly ServiceName[] = ['database', 'queue', 'ollama', 'openai']
  await server.database.transaction(async (transaction) => {
    for (let day = 1; day < 85; day += 1) {
      for (const [index, part] of [2, 10, 18].entries()) {
        const seen = names.map((service, at) => {
          const isBad = (day * 7 + at * 13) % 29 === 0
          const state: ServiceState = isBad ? (index === 0 ? 'degraded' : 'offline') : 'online'
          return { service, state, responseMs: 20 }
        })
        await addToHistory(transaction, new Date(Date.now() - day * 24 * hour - part * hour), seen)
      }
    }
  })
}
