/**
 * `npm run screenshots` takes the screenshots of docs/images from a running platform. `npm run screenshots -- run schedules
 * --to /tmp/pictures` takes only some of them, into another folder, and `--width 390` as a phone shows them.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve as toAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../test/support/browser.ts'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { startPlatformIn, type TestPlatform } from '../../test/support/platform.ts'
import { ensureProgramBuilt } from '../../test/support/program.ts'
import { liveALittle } from './platform-life.ts'

interface Picture {
  readonly name: string
  readonly path: string
  /** Actions before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>
}

const { values, positionals: wanted } = parseArgs({
  options: { to: { type: 'string' }, width: { type: 'string', default: '1440' } },
  allowPositionals: true,
})
const folder =
  values.to === undefined
    ? fileURLToPath(new URL('../../docs/images', import.meta.url))
    : toAbsolute(values.to)
const size = { width: Number(values.width), height: 900 }

await ensureProgramBuilt()
await using data = await createDataFolder()
await using archive = await openArchive()
await using platform = await startPlatformIn(data.path, { TUTTI_OUTBOUND_ALLOW: '127.0.0.1' })
const { flow, execution, failed } = await liveALittle(callsOf(platform), archive.url)

const pictures: readonly Picture[] = [
  { name: 'overview', path: '/' },
  { name: 'workflows', path: '/workflows' },
  {
    name: 'editor',
    path: `/workflows/${flow}/edit`,
    prepare: (page) =>
      page.locator('.react-flow__node[data-id="section"]').getByText('Which section?').click(),
  },
  { name: 'workflow', path: `/workflows/${flow}` },
  { name: 'triggers', path: `/workflows/${flow}?tab=triggers` },
  { name: 'run', path: `/executions/${execution}?tab=timeline` },
  { name: 'result', path: `/executions/${execution}` },
  { name: 'failure', path: `/executions/${failed}` },
  { name: 'executions', path: '/executions' },
  { name: 'human-tasks', path: '/human-tasks' },
  { name: 'schedules', path: '/schedules' },
  { name: 'agents', path: '/agents' },
  { name: 'agent-editor', path: '/agents/new' },
  { name: 'events', path: '/events' },
  { name: 'settings', path: '/settings' },
  { name: 'playground', path: '/playground' },
  {
    name: 'health',
    path: '/health',
    // The first check runs while the platform starts, and is slow.
    prepare: (page) => page.getByRole('button', { name: 'Check now' }).click(),
  },
  {
    name: 'tours',
    path: '/admin/structure/recipe-onboarding/tours/welcome/builder',
    // The page inside the builder loads after the builder.
    prepare: (page) => page.frameLocator('iframe').getByText('The town orchestra').first().waitFor(),
  },
]
const unknown = wanted.filter((name) => !pictures.some((picture) => picture.name === name))
if (unknown.length > 0)
  throw new Error(
    `No screenshot is called ${unknown.join(', ')}: ${pictures.map(({ name }) => name).join(', ')}.`,
  )

/** Without names: those that the documents show, or all of them into another folder. */
function isWanted({ name }: Picture): boolean {
  if (wanted.length > 0) return wanted.includes(name)
  return values.to !== undefined || existsSync(join(folder, `${name}-light.webp`))
}

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
  for (const picture of pictures) if (isWanted(picture)) await take(context, picture, scheme)
}

async function take(
  context: BrowserContext,
  { name, path, prepare }: Picture,
  scheme: string,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('h1').waitFor()
  // A slow machine takes longer than the pause below.
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
  await prepare?.(page)
  // Pages never become idle, because they stay connected, and images may load late.
  await page.waitForTimeout(2_000)
  const session = await context.newCDPSession(page)
  // WebP has a third of the size of PNG, and every browser supports it.
  const { data: picture } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
  const file = join(folder, `${name}-${scheme}.webp`)
  await writeFile(file, Buffer.from(picture, 'base64'))
  console.log(`wrote ${file}`)
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
