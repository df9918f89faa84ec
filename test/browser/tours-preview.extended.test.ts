import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '../support/site.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'
import { makeTour, openShop, toursPath } from './tours-builder-page.ts'

let tutti: ConsoleUnderTest
let shop: Site
beforeAll(async () => {
  tutti = await openConsole()
  shop = await openShop(tutti)
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await tutti[Symbol.asyncDispose]()
})

async function openPreview(page: Page, id: string, address: string) {
  await page.goto(`${toursPath}/${id}/preview`)
  await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor()
  await openAddress(page, address)
  const frame = page.frameLocator('iframe')
  return {
    card: (title: string) => frame.getByRole('dialog', { name: title, exact: true }),
    step: (title: string) => page.getByRole('listitem').filter({ hasText: title }),
    gist: page.getByRole('main').getByRole('status').first(),
  }
}

async function openAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('Page address').fill(address)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

const centred = (label: string) => ({ label, location: 'center' })

describe('a preview', () => {
  test('plays a draft across its pages, names the missing element of a step, and counts nothing', async () => {
    await makeTour(
      tutti,
      'draft',
      [
        { ...centred('Welcome'), route: '/start' },
        { label: 'Lost', selector: '#lost', route: '/start' },
        { label: 'The terms', selector: '#terms', route: '/terms' },
      ],
      { routes: [{ route_name: '/start' }, { route_name: '/terms' }] },
    )
    await using visit = await tutti.visit()
    const { page, complaints } = visit
    const preview = await openPreview(page, 'draft', `${shop.url}/start`)

    await preview.card('Welcome').waitFor()
    await preview.gist.getByText('Step 1 of 3 is shown.').waitFor()
    await preview.step('Lost').getByText('No match').waitFor()
    await preview.step('The terms').getByText('Another page').waitFor()
    await preview.card('Welcome').getByRole('button', { name: 'Next' }).click()
    await preview.step('Lost').getByText('Element missing').waitFor()
    await preview.card('Lost').getByRole('button', { name: 'Skip' }).click()
    await preview.card('The terms').waitFor()
    await preview.gist.getByText('Step 3 of 3 is shown; the element of one step is missing.').waitFor()
    await expect.poll(() => page.getByLabel('Page address').inputValue()).toBe(`${shop.url}/terms`)
    await preview.card('The terms').getByRole('button', { name: 'Done' }).click()
    await preview.gist
      .getByText('The tour is finished: 2 of 3 steps were shown; the element of one step is missing.')
      .waitFor()

    const analytics = await administer<{ totals: { views: number } }>(
      tutti.platform,
      'GET',
      `${toursPath}/draft/analytics`,
    )
    expect(analytics.totals.views).toBe(0)
    expect(complaints).toEqual([])
  })

  test('shows the requested page, though the previous one had begun to navigate elsewhere', async () => {
    await makeTour(tutti, 'late', [{ ...centred('Welcome'), route: '/start' }], {
      routes: [{ route_name: '/start' }],
    })
    await using visit = await tutti.visit()
    const { page } = visit
    const held: (() => Promise<void>)[] = []
    await page.route('**/tours/player.js', async (route) => {
      // The previous page may still receive the navigation that the console requested.
      if (route.request().frame().url().startsWith(shop.url)) await route.continue()
      else held.push(() => route.continue())
    })
    await page.goto(`${toursPath}/late/preview`)
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const pageBefore = Promise.withResolvers<void>()
    page.once('framedetached', () => pageBefore.resolve())
    await page.route(`${shop.url}/start`, async (route) => {
      // The previous page would load its player before the next one is there, if it were still open.
      await Promise.all(held.map((run) => run()))
      await pageBefore.promise
      await route.continue()
    })
    await openAddress(page, `${shop.url}/start`)
    await page.frameLocator('iframe').getByRole('dialog', { name: 'Welcome', exact: true }).waitFor()
    await expect.poll(() => page.frames().at(-1)?.url()).toBe(`${shop.url}/start`)
  })

  test('is restarted, closed, and shown at phone size', async () => {
    await makeTour(tutti, 'again', [centred('One'), { label: 'Two', selector: '#search' }])
    await using visit = await tutti.visit()
    const { page } = visit
    const preview = await openPreview(page, 'again', `${shop.url}/again`)
    await preview.card('One').getByRole('button', { name: 'Next' }).click()
    await preview.card('Two').waitFor()
    await page.getByRole('button', { name: 'Restart' }).click()
    await preview.card('One').waitFor()
    await preview.gist.getByText('Step 1 of 2 is shown.').waitFor()
    await page.getByRole('radiogroup', { name: 'Page width' }).getByText('Phone').click()
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(390)
    await preview.card('One').getByRole('button', { name: 'End the tour' }).click()
    await preview.gist.getByText('The tour was closed: 1 of 2 steps were shown.').waitFor()
    await page.getByRole('button', { name: 'Restart' }).click()
    await preview.card('One').waitFor()
    await page.getByRole('radiogroup', { name: 'Page width' }).getByText('Desktop').click()
    const root = page.frameLocator('iframe').locator('html')
    await expect.poll(() => root.evaluate('window.innerWidth')).toBe(1280)
  })

  test('leaves the keyboard to an input field, and gets it back after a restart', async () => {
    await makeTour(tutti, 'keys', [centred('One'), centred('Two'), centred('Three')])
    await using visit = await tutti.visit()
    const { page } = visit
    const preview = await openPreview(page, 'keys', `${shop.url}/keys`)
    await preview.card('One').waitFor()
    const shown = Promise.withResolvers<() => Promise<void>>()
    await page.route(`${shop.url}/keys`, (route) => shown.resolve(() => route.continue()))
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const showPage = await shown.promise
    const field = page.getByLabel('Page address')
    await field.fill('')
    await field.pressSequentially('http://one')
    await showPage()
    await preview.card('One').waitFor()
    await field.pressSequentially(' two')
    expect(await field.inputValue()).toBe('http://one two')
    await page.getByRole('button', { name: 'Restart' }).click()
    await preview.card('One').locator('button:focus').waitFor()
    await page.keyboard.press('ArrowRight')
    await preview.card('Two').waitFor()
  })

  test('of a route without a URL waits until a page of it is opened', async () => {
    await makeTour(tutti, 'named', [centred('Here'), { ...centred('Elsewhere'), route: 'shop.checkout' }], {
      routes: [{ route_name: '/named' }, { route_name: 'shop.checkout' }],
    })
    await using visit = await tutti.visit()
    const preview = await openPreview(visit.page, 'named', `${shop.url}/named`)
    await preview.card('Here').getByRole('button', { name: 'Next' }).click()
    await preview.gist.getByText('The next step is on “shop.checkout”.').waitFor()
  })

  test('of a tour without steps reports that it has none', async () => {
    await makeTour(tutti, 'empty')
    await using visit = await tutti.visit()
    const preview = await openPreview(visit.page, 'empty', `${shop.url}/empty`)
    await preview.gist.getByText('This tour has no steps yet.').waitFor()
  })
})

test('axe reports no problem: light, dark, or 360 pixels wide', async () => {
  await makeTour(tutti, 'axe', [centred('One'), { label: 'Two', selector: '#nothing' }])
  await using visit = await tutti.visit({ reducedMotion: 'reduce' })
  const { page, complaints } = visit
  const preview = await openPreview(page, 'axe', `${shop.url}/axe`)
  await preview.card('One').waitFor()
  await preview.step('Two').getByText('No match').waitFor()
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await waitForStillness(page)
  expect(await readSidewaysScroll(page)).toBe(0)
  await page.getByRole('radiogroup', { name: 'Pane' }).getByText('Steps').click()
  await preview.step('One').waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(complaints).toEqual([])
})
