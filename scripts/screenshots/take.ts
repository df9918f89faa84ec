/** `npm run screenshots` takes the screenshots of docs/images from a running platform. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { startPlatformIn, type TestPlatform } from '../../test/support/platform.ts'
import { liveALittle } from './platform-life.ts'

interface Picture {
  readonly name: string
  readonly path: string
  /** Actions before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>
}

const folder = new URL('../../docs/images/', import.meta.url)
const size = { width: 1440, height: 900 }

await using data = await createDataFolder()
await using archive = await openArchive()
await using platform = await startPlatformIn(data.path, { TUTTI_OUTBOUND_ALLOW: '127.0.0.1' })
const { flow, execution } = await liveALittle(callsOf(platform), archive.url)

const pictures: readonly Picture[] = [
  { name: 'overview', path: '/' },
  { name: 'flows', path: '/workflows' },
  {
    name: 'editor',
    path: `/workflows/${flow}/edit`,
    prepare: (page) =>
      page.locator('.react-flow__node[data-id="section"]').getByText('Which section?').click(),
  },
  { name: 'run', path: `/executions/${execution}` },
  { name: 'agents', path: '/agents' },
  { name: 'playground', path: '/playground' },
  { name: 'health', path: '/health' },
  { name: 'tours', path: '/admin/structure/recipe-onboarding/tours/welcome/builder' },
]

await mkdir(folder, { recursive: true })
await using browser = await launchBrowser()
for (const scheme of ['light', 'dark'] as const) {
  await using context = await browser.newContext({
    baseURL: platform.url,
    viewport: size,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  await context.request.post('/user/login', { data: platform.admin })
  // The invitation to the welcome tour would cover the page.
  await context.addInitScript(
    `localStorage.setItem('tutti-tours', '${JSON.stringify({ welcome: { state: 'dismissed', at: new Date().toISOString() } })}')`,
  )
  for (const picture of pictures) await take(context, picture, scheme)
}

async function take(
  context: BrowserContext,
  { name, path, prepare }: Picture,
  scheme: string,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('h1').waitFor()
  await prepare?.(page)
  // Pages never become idle, because they stay connected, and images may load late.
  await page.waitForTimeout(2_000)
  const session = await context.newCDPSession(page)
  // WebP has a third of the size of PNG, and every browser supports it.
  const { data: picture } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
  await writeFile(new URL(`${name}-${scheme}.webp`, folder), Buffer.from(picture, 'base64'))
  console.log(`wrote docs/images/${name}-${scheme}.webp`)
  await page.close()
}

/** The service that the flow calls. */
async function openArchive() {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    if (url === '/feed') response.statusCode = 404
    response.end(JSON.stringify({ stories: [{ title: 'An evening for strings', year: 2024 }] }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function callsOf({ url, admin }: TestPlatform): Parameters<typeof liveALittle>[0] {
  const authorization = `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`)
    return said
  }
}
