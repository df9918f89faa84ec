import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openSite, type Site, type SiteOptions } from '../support/site.ts'
import { administer } from './administer.ts'
import type { ConsoleUnderTest } from './console-under-test.ts'

export const toursPath = '/admin/structure/recipe-onboarding/tours'

interface StoredTip {
  readonly id: string
  readonly label: string
  readonly body: string
  readonly selector: string
  readonly location: string
  readonly weight: number
  readonly route: string | null
  readonly candidates: readonly string[]
  readonly target_text: string | null
  readonly advance: string
}

interface StoredTour {
  readonly id: string
  readonly label: string
  readonly status: boolean
  readonly launch: string
  readonly routes: readonly { readonly route_name: string }[]
  readonly tips: readonly StoredTip[]
  readonly revision: number
}

/** Creates a tour with these steps over the API. */
export async function makeTour(
  { platform }: ConsoleUnderTest,
  id: string,
  tips: readonly object[] = [],
  more: object = {},
): Promise<void> {
  const create = () => administer(platform, 'POST', toursPath, { id, label: id, creation_method: 'visual' })
  await create().catch(async () => {
    // A retried test finds the data of its first attempt.
    await administer(platform, 'DELETE', `${toursPath}/${id}`)
    await create()
  })
  if (tips.length > 0 || Object.keys(more).length > 0) {
    await administer(platform, 'PUT', `${toursPath}/${id}`, { tips, ...more })
  }
}

export async function readTour({ platform }: ConsoleUnderTest, id: string): Promise<StoredTour> {
  return (await administer<{ tour: StoredTour }>(platform, 'GET', `${toursPath}/${id}`)).tour
}

/** A small shop on its own origin, whose pages embed the player. */
export async function openShop(
  { platform }: ConsoleUnderTest,
  options: Partial<SiteOptions> = {},
): Promise<Site> {
  return await openSite({
    platformUrl: platform.url,
    page: (path) => ({
      title: `Shop ${path}`,
      body: `
        <main>
          <h1>Shop ${path}</h1>
          <p><a id="terms" href="/terms">Terms</a></p>
          <button id="search">Search</button>
          <button data-testid="basket">Basket</button>
          <ul><li class="item">One</li><li class="item">Two</li></ul>
          <button id="more">More</button>
          <div id="late"></div>
        </main>`,
      script: `
        document.querySelector('#more').addEventListener('click', () => {
          const arrived = Object.assign(document.createElement('em'), { id: 'arrived', textContent: 'Here I am' })
          document.querySelector('#late').replaceChildren(arrived)
        })`,
      ...(path === '/bare' ? { tag: null } : {}),
    }),
    ...options,
  })
}

/** The builder of a tour, open in a window. */
export interface BuilderPage {
  readonly page: Page
  readonly frame: ReturnType<Page['frameLocator']>
  /** The step of this title in the list. */
  step(title: string): Locator
  /** The card of a step in the framed page. */
  card(title: string): Locator
  /** Opens a page in the frame, and waits for its player. */
  show(address: string): Promise<void>
  /** Picks an element of the framed page, as the pointer would. */
  pick(target: Locator): Promise<void>
  untilSaved(): Promise<void>
}

export async function openBuilder(page: Page, id: string, address?: string): Promise<BuilderPage> {
  await page.goto(`${toursPath}/${id}/builder`)
  return await builderOn(page, address)
}

/** The builder that is open in a window, or about to be. */
export async function builderOn(page: Page, address?: string): Promise<BuilderPage> {
  await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor()
  const frame = page.frameLocator('iframe')
  const builder: BuilderPage = {
    page,
    frame,
    step: (title) => page.locator('li[data-step]').filter({ has: page.getByText(title, { exact: true }) }),
    card: (title) => frame.getByRole('dialog', { name: title, exact: true }),
    async show(wanted) {
      await page.getByLabel('Page address').fill(wanted)
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await untilReady(page)
    },
    async pick(target) {
      await page.getByRole('button', { name: 'Pick element' }).click()
      await page.getByText('Click the element for the step').waitFor()
      // An overlay captures the pointer, so that no element of the page is triggered.
      await frame.getByRole('application').waitFor()
      await target.hover({ force: true })
      await page.getByText('Click the element for the step').waitFor({ state: 'detached' })
      await target.click({ force: true })
      // The page reported the picked element, and the step exists: from now on it is being saved.
      await untilReady(page)
    },
    untilSaved: async () => {
      await expect.poll(() => page.locator('[data-save]').getAttribute('data-save')).toBe('saved')
    },
  }
  if (address !== undefined) await builder.show(address)
  return builder
}

/** Waits until the player of the framed page has responded. */
export async function untilReady(page: Page): Promise<void> {
  await expect
    .poll(() => page.getByRole('button', { name: 'Pick element' }).getAttribute('aria-disabled'))
    .toBe('false')
}

/** The titles of the steps as they are listed. */
export async function listedSteps(page: Page): Promise<string[]> {
  return await page.locator('li[data-step] [data-part=open] > span:last-child').allInnerTexts()
}

export async function choosePlacement(page: Page, name: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Placement' }).getByText(name, { exact: true }).click()
}

/** Pastes HTML into a field, as from another program. */
export async function pasteHtml(field: Locator, html: string): Promise<void> {
  await field.focus()
  await field.page().evaluate(`
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', ${JSON.stringify(html)})
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(paste)
  `)
}
