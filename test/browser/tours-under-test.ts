import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ensurePlayerBuilt } from '../../scripts/build-player.ts'
import { openBrowser } from '../support/browser.ts'
import { patience } from '../support/patience.ts'
import { type OpenPlatform, openPlatform } from '../support/platform.ts'
import { openSite, type Site, type SiteOptions, type SitePage } from '../support/site.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'

interface GivenTip {
  readonly id?: string
  readonly label: string
  readonly body?: string
  readonly selector?: string
  readonly location?: string
  readonly position?: string
  readonly route?: string
  readonly candidates?: readonly string[]
  readonly target_text?: string
  readonly advance?: 'next' | 'click' | 'input' | 'navigation'
}

interface GivenTour {
  readonly id: string
  readonly label?: string
  readonly launch?: 'auto' | 'invite' | 'manual'
  readonly site_id?: string
  readonly routes: readonly string[]
  readonly tips: readonly GivenTip[]
}

interface Visitor extends AsyncDisposable {
  readonly page: Page
  /** Every console error, refused style or script, and uncaught exception so far. */
  readonly complaints: readonly string[]
  /** The events that the player sent, in order. */
  readonly told: readonly ToldEvent[]
}

interface ToldEvent {
  readonly event: string
  readonly play: string
  readonly step_id?: string
  readonly duration?: number
}

export interface ToursUnderTest extends AsyncDisposable {
  readonly platform: OpenPlatform
  readonly database: TestDatabase
  /** A third-party site whose pages embed the player. */
  openSite(page: (path: string) => SitePage | undefined, options?: Partial<SiteOptions>): Promise<Site>
  /** Makes a tour and publishes it. */
  publish(tour: GivenTour): Promise<void>
  visit(url: string, options?: BrowserContextOptions): Promise<Visitor>
}

/** Longer than any operation here, shorter than the timeout of a test. */
const operationTimeoutMs = 30_000 * patience
export const toursPath = '/admin/structure/recipe-onboarding/tours'

/** For polls of the API of tours, which allows 100 requests a minute. */
export const patiently = { interval: 1_000 }

/** A platform with tours, and a browser for visitors of other sites. */
export async function openTours(): Promise<ToursUnderTest> {
  await ensurePlayerBuilt({ log: () => undefined })
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await createTestDatabase())
  const platform = opening.use(await openPlatform({ TUTTI_TOUR_VISITOR_LIMIT: '1000' }, { database }))
  const browser = opening.use(await openBrowser())
  const opened = opening.move()
  return {
    platform,
    database,
    openSite: (page, options = {}) => openSite({ platformUrl: platform.url, page, ...options }),
    async publish({ id, label = id, launch = 'auto', site_id = 'default', routes, tips }) {
      const create = () => administer(platform, 'POST', toursPath, { id, label, creation_method: 'visual' })
      await create().catch(async () => {
        // A retried test finds the data of its first attempt.
        await administer(platform, 'DELETE', `${toursPath}/${id}`)
        await create()
      })
      await administer(platform, 'PUT', `${toursPath}/${id}`, {
        launch,
        site_id,
        routes: routes.map((route_name) => ({ route_name })),
        tips,
        status: true,
      })
    },
    async visit(url, options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', ...options })
      context.setDefaultTimeout(operationTimeoutMs)
      const page = await context.newPage()
      const complaints: string[] = []
      const told: ToldEvent[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      context.on('request', (request) => {
        if (request.method() !== 'POST' || !request.url().endsWith('/event')) return
        told.push(...(request.postDataJSON() as { events: ToldEvent[] }).events)
      })
      await page.goto(url)
      return { page, complaints, told, [Symbol.asyncDispose]: () => context.close() }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Waits until a card is between the left and the right edge of the screen: it is shown before it has its place. */
export async function untilOnScreen(card: Locator): Promise<void> {
  await card.waitFor()
  const width = card.page().viewportSize()?.width ?? 0
  await expect
    .poll(async () => {
      const box = await card.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= width
    })
    .toBe(true)
}

/** Waits for the player; the policies of sites forbid the evaluations that `waitForFunction` repeats. */
export async function untilPlayerLoaded(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('window.tuttiTours !== undefined')).toBe(true)
}

/** The card of a step. */
export function stepCard(page: Page, label: string) {
  return page.getByRole('dialog', { name: label, exact: true })
}
