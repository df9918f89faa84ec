import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import type { Site } from '../support/site.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import {
  builderOn,
  choosePlacement,
  listedSteps,
  openShop,
  readTour,
  toursPath,
} from './tours-builder-page.ts'
import { patiently } from './tours-under-test.ts'

let tutti: ConsoleUnderTest
let shop: Site
beforeEach(async () => {
  tutti = await openConsole()
  shop = await openShop(tutti)
})
afterEach(async () => {
  await shop[Symbol.asyncDispose]()
  await tutti[Symbol.asyncDispose]()
})

const id = 'round_the_shop'
const titleField = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
const cardIn = (page: Page, title: string) => page.getByRole('dialog', { name: title, exact: true })

test('a tour is built, reordered, previewed, played on another site, counted, exported and imported again', {
  timeout: 180_000 * patience,
}, async () => {
  await using visit = await tutti.visit()
  const { page, complaints } = visit

  // Built by clicking.
  await page.goto(toursPath)
  await waitForPage(page, 'Tours')
  await page.getByRole('button', { name: 'Create tour' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create tour' })
  await form.getByRole('textbox', { name: 'Label' }).fill('Round the shop')
  await form.getByRole('button', { name: 'Create and open the builder' }).click()
  await page.waitForURL(`**/${id}/builder`)
  const builder = await builderOn(page, `${shop.url}/whole`)
  await builder.pick(builder.frame.getByTestId('basket'))
  await titleField(page).fill('Your basket')
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.fill('What you buy & keep.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('See the ')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByRole('textbox', { name: 'Link address' }).fill('/terms')
  await page.keyboard.press('Enter')
  await choosePlacement(page, 'Right')
  await builder.card('Your basket').getByText('What you buy & keep.').waitFor()
  await builder.pick(builder.frame.locator('#search'))
  await titleField(page).fill('Searching')
  await builder.frame.getByRole('link', { name: 'Terms' }).click()
  await expect.poll(() => page.getByLabel('Page address').inputValue()).toBe(`${shop.url}/terms`)
  await builder.pick(builder.frame.getByRole('heading', { level: 1 }))
  await titleField(page).fill('The small print')
  await page.getByRole('button', { name: 'Add step' }).click()
  await titleField(page).fill('Welcome')
  await builder.untilSaved()

  // Ordered by keyboard.
  await builder.step('Welcome').locator('[data-part=open]').focus()
  for (let place = 3; place > 0; place -= 1) {
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').getByText(`“Welcome” is step ${place} of 4 now.`).waitFor()
  }
  await builder.step('Your basket').locator('[data-part=open]').focus()
  await page.keyboard.press('Alt+ArrowDown')
  const order = ['Welcome', 'Searching', 'Your basket', 'The small print']
  await expect.poll(() => listedSteps(page)).toEqual(order)
  // The welcome step is shown where the tour starts.
  await page.getByRole('combobox', { name: 'Page', exact: true }).selectOption('Only on /whole')
  await builder.untilSaved()
  expect(await findViolations(page)).toEqual([])

  // Previewed, as a draft.
  await page.getByRole('link', { name: 'Preview' }).click()
  await page.waitForURL(`**/${id}/preview`)
  const frame = page.frameLocator('iframe')
  const previewed = (title: string) => frame.getByRole('dialog', { name: title, exact: true })
  for (const title of order.slice(0, -1)) {
    await previewed(title).getByRole('button', { name: 'Next' }).click()
  }
  await previewed('The small print').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('status').getByText('The tour is finished: 4 of 4 steps were shown.').waitFor()

  // Published, and played by a visitor of another site.
  await page.getByRole('link', { name: 'Builder' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published', { exact: true }).waitFor()
  await (await builderOn(page)).untilSaved()
  await using stranger = await tutti.visit({ signedIn: false })
  await stranger.page.goto(`${shop.url}/whole`)
  for (const title of order.slice(0, -1)) {
    await cardIn(stranger.page, title).getByRole('button', { name: 'Next' }).click()
  }
  await cardIn(stranger.page, 'The small print').getByRole('button', { name: 'Done' }).click()
  await cardIn(stranger.page, 'The small print').waitFor({ state: 'detached' })
  expect(new URL(stranger.page.url()).pathname).toBe('/terms')
  expect(stranger.complaints).toEqual([])

  // The analytics count that one visitor, and no preview.
  await page.goto(`${toursPath}/${id}/analytics`)
  await expect
    .poll(readTotals, patiently)
    .toMatchObject({ views: 1, starts: 1, completions: 1, dismissals: 0, completion_rate: 100 })
  await page.reload()
  await page.getByText('100 % of starts').first().waitFor()
  expect(await findViolations(page)).toEqual([])

  // Exported.
  await page.goto(`${toursPath}/${id}/export`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const file = await (await downloading).path()
  const bytes = await readFile(file)
  expect(bytes.subarray(0, 2).toString()).toBe('PK')

  // Imported back, and compared.
  const before = await readTour(tutti, id)
  await administer(tutti.platform, 'DELETE', `${toursPath}/${id}`)
  await page.goto(`${toursPath}?create=import`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'tour.zip', mimeType: 'application/zip', buffer: bytes })
  await page.getByRole('button', { name: 'Import as a draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Round the shop' }).waitFor()
  const after = await readTour(tutti, id)
  expect(contentOf(after)).toEqual(contentOf(before))
  expect(after.status).toBe(false)
  expect(complaints).toEqual([])
})

async function readTotals() {
  const path = `${toursPath}/${id}/analytics`
  return (await administer<{ totals: object }>(tutti.platform, 'GET', path)).totals
}

function contentOf({ label, launch, routes, tips }: Awaited<ReturnType<typeof readTour>>) {
  return { label, launch, routes, tips }
}
