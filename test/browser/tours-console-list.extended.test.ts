import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, addRole, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

const tours = '/admin/structure/recipe-onboarding/tours'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const row = (page: Page, text: string) =>
  page.getByRole('table', { name: 'Tours' }).getByRole('row').filter({ hasText: text })

/** Removes the data of an earlier attempt. */
async function forgetTour(id: string): Promise<void> {
  await administer(tutti.platform, 'DELETE', `${tours}/${id}`).catch(() => undefined)
}

async function makeTour(id: string, label: string): Promise<void> {
  await forgetTour(id)
  await administer(tutti.platform, 'POST', tours, {
    id,
    label,
    template: 'basic',
    routes: [{ route_name: '/admin/content' }],
  })
}

async function readTour(id: string) {
  const { tour } = await administer<{ tour: Record<string, unknown> }>(
    tutti.platform,
    'GET',
    `${tours}/${id}`,
  )
  return tour
}

describe('tours in the console', () => {
  test('are found, published from the list, and unpublished', async () => {
    await makeTour('tea_time', 'Tea time')
    await makeTour('coffee_time', 'Coffee time')
    await using visit = await tutti.visit({ path: tours })
    const { page, complaints } = visit
    await waitForPage(page, 'Tours')
    await page.getByLabel('Search tours').fill('tea')
    await page.getByText('1 tour', { exact: true }).waitFor()
    await row(page, 'Tea time').getByText('Draft').waitFor()
    await row(page, 'Tea time').getByRole('button', { name: 'Publish Tea time' }).click()
    await row(page, 'Tea time').getByText('Published').waitFor()
    expect(await readTour('tea_time')).toMatchObject({ status: true })

    await page.getByText('Drafts').click()
    await page.getByText('No tours match.').waitFor()
    await page.getByRole('button', { name: 'Show all tours' }).click()
    await row(page, 'Coffee time').waitFor()
    await row(page, 'Tea time').getByRole('button', { name: 'Unpublish Tea time' }).click()
    await row(page, 'Tea time').getByText('Draft').waitFor()
    expect(complaints).toEqual([])
  })

  test('show their statistics', async () => {
    await makeTour('seen', 'Seen by some')
    await administer(tutti.platform, 'PUT', `${tours}/seen`, { status: true })
    for (const events of [['view', 'start', 'complete'], ['view', 'start'], ['view']]) {
      const play = crypto.randomUUID()
      await administer(tutti.platform, 'POST', '/api/recipe-tour-builder/tour/seen/event', {
        events: events.map((event) => ({ event, play })),
      })
    }
    await using visit = await tutti.visit({ path: `${tours}?search=seen` })
    await waitForPage(visit.page, 'Tours')
    await row(visit.page, 'Seen by some').getByText('50 %').waitFor()
    const cells = await row(visit.page, 'Seen by some').getByRole('cell').allInnerTexts()
    expect(cells.slice(1, 5)).toEqual(['Default site', 'Published', '5', '3'])
  })

  test('start from a template, and continue in the builder', async () => {
    await forgetTour('our_site')
    await using visit = await tutti.visit({ path: `${tours}/templates` })
    const { page } = visit
    await waitForPage(page, 'Templates')
    await page.getByRole('link', { name: 'View steps: Site Building' }).click()
    await waitForPage(page, 'Site Building')
    await page.getByRole('table', { name: 'Steps' }).waitFor()
    await page.getByRole('link', { name: 'Use Site Building' }).click()
    const form = page.getByRole('dialog', { name: 'Create tour' })
    await expect.poll(() => form.getByRole('radio', { name: 'Site Building' }).isChecked()).toBe(true)
    await expect.poll(() => form.getByLabel('Label').inputValue()).toBe('Site Building')
    await form.getByLabel('Label').fill('Our site')
    await form.getByRole('button', { name: 'Create and open the builder' }).click()
    await page.waitForURL(`**${tours}/our_site/builder`)
    expect(await readTour('our_site')).toMatchObject({ label: 'Our site', status: false })
  })

  test('require a label', async () => {
    await forgetTour('from_nothing')
    await using visit = await tutti.visit({ path: `${tours}?create=visual` })
    const { page } = visit
    await page.getByRole('button', { name: 'Create and open the builder' }).click()
    await page.getByText('Must not be empty.').waitFor()
    await page.getByRole('dialog').getByLabel('Label').fill('From nothing')
    await page.getByRole('button', { name: 'Create and open the builder' }).click()
    await page.waitForURL(`**${tours}/from_nothing/builder`)
  })

  test('are exported to a file, and imported by dropping it', async () => {
    await makeTour('there_and_back', 'There and back')
    await forgetTour('there_and_back_2')
    const some = randomUUID().slice(0, 8)
    await using visit = await tutti.visit({ path: `${tours}/there_and_back` })
    const { page, complaints } = visit
    await waitForPage(page, 'There and back')
    await page.getByRole('link', { name: 'Export' }).click()
    await waitForPage(page, 'Export')
    await page.getByText('The tour is a draft: it is installed disabled.').waitFor()
    await page.getByRole('radio', { name: 'Create a recipe' }).check()
    await page.getByLabel('Recipe name').fill(`Round trip ${some}`)
    await page.getByRole('button', { name: 'Export' }).click()
    const arriving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const download = await arriving
    expect(download.suggestedFilename()).toBe(`round_trip_${some}.zip`)
    await page.getByText(`The recipe round_trip_${some} is up to date.`).waitFor()
    await page.getByRole('radio', { name: `Update “Round trip ${some}”` }).waitFor()
    const content = await readFile(await download.path())

    await page.goto(`${tours}?create=import`)
    const form = page.getByRole('dialog', { name: 'Create tour' })
    await form.getByText('Drop a recipe or a tour here').waitFor()
    // As a string, because DOM types are not available here.
    const data = await page.evaluateHandle(`(() => {
      const given = new DataTransfer()
      const bytes = Uint8Array.from(atob('${content.toString('base64')}'), (letter) => letter.charCodeAt(0))
      given.items.add(new File([bytes], 'round_trip.zip', { type: 'application/zip' }))
      return given
    })()`)
    const zone = form.getByText('Drop a recipe or a tour here').locator('..')
    await zone.dispatchEvent('dragover', { dataTransfer: data })
    await zone.dispatchEvent('drop', { dataTransfer: data })
    await form.getByRole('checkbox', { name: 'There and back' }).waitFor()
    await form.getByRole('button', { name: 'Import as a draft' }).click()
    await page.waitForURL(`**${tours}/there_and_back_2`)
    await waitForPage(page, 'There and back')
    const [before, after] = await Promise.all([readTour('there_and_back'), readTour('there_and_back_2')])
    expect(after['tips']).toEqual(before['tips'])
    expect(after['routes']).toEqual(before['routes'])
    expect(complaints).toEqual([])
  })

  test('are not imported from a file that is no recipe', async () => {
    await using visit = await tutti.visit({ path: `${tours}?create=import` })
    const { page } = visit
    await page
      .getByLabel('Drop a recipe or a tour here')
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') })
    await page
      .getByRole('alert')
      .getByText('not a zip archive, a tar.gz archive, JSON or the YAML of a tour')
      .waitFor()
  })

  test('are deleted after a confirmation with their name', async () => {
    await makeTour('short_lived', 'Short lived')
    await using visit = await tutti.visit({ path: `${tours}/short_lived` })
    const { page } = visit
    await waitForPage(page, 'Short lived')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the tour “Short lived”?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await question.getByRole('button', { name: 'Delete tour' }).click()
    await waitForPage(page, 'Tours')
    await row(page, 'Short lived').waitFor({ state: 'detached' })
    await page.goto(`${tours}/short_lived`)
    await page.getByText('There is no tour “short_lived”.').waitFor()
    await page.goto(`${tours}/short_lived/export`)
    await page.getByText('There is no tour “short_lived”.').waitFor()
  })

  test('offer each user the permitted actions only', async () => {
    await makeTour('for_all', 'For all')
    await addRole(tutti.platform, {
      name: 'tour_watcher',
      label: 'Watcher',
      permissions: ['view recipe tour analytics'],
    })
    const person = await addPerson(tutti.platform, 'wanda', ['tour_watcher'])
    await using visit = await visitAs(tutti, person, `${tours}/for_all`)
    const { page } = visit
    await waitForPage(page, 'For all')
    await page.getByRole('link', { name: 'Analytics' }).waitFor()
    for (const name of ['Open builder', 'Export'])
      expect(await page.getByRole('link', { name }).count()).toBe(0)
    for (const name of ['Publish', 'Delete…'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.goto(`${tours}/for_all/export`)
    await page.getByText('requires the permission “export recipe tours”').waitFor()
    await page.goto(tours)
    await row(page, 'For all').waitFor()
    expect(await page.getByRole('button', { name: 'Create tour' }).count()).toBe(0)
  })
})
