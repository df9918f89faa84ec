import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { readSidewaysScroll } from './in-page.ts'
import { patiently, toursPath } from './tours-under-test.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

interface StoredTour {
  readonly translations: readonly object[]
  readonly tips: readonly { readonly id: string; readonly advance: string }[]
}

const path = `${toursPath}/shown_around`
const stored = async () => (await administer<{ tour: StoredTour }>(tutti.platform, 'GET', path)).tour

async function makeTour(): Promise<void> {
  // A retried test finds the tour of its first attempt.
  await administer(tutti.platform, 'DELETE', path).catch(() => undefined)
  await administer(tutti.platform, 'POST', toursPath, { id: 'shown_around', label: 'Shown around' })
  await administer(tutti.platform, 'PUT', path, {
    routes: [{ route_name: '/' }],
    tips: [
      { id: 'cart', label: 'Cart', body: '<p>Your things</p>', selector: '#cart' },
      { id: 'end', label: 'The end', location: 'center' },
    ],
  })
}

test('a tour is translated, corrected and its translation deleted', async () => {
  await makeTour()
  await using visit = await tutti.visit({ path })
  const { page, complaints } = visit
  await waitForPage(page, 'Shown around')
  await page.getByRole('button', { name: 'Add translation' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Language').fill('German')
  await drawer.getByLabel('Name').fill('Rundgang')
  await drawer.getByLabel('Title of step 1').fill('Warenkorb')
  await drawer.getByLabel('Text of step 1').fill('Ihre Sachen')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText(/Must be a language code/).waitFor()
  await drawer.getByLabel('Language').fill('de')
  expect(await findViolations(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: '1 of 2' }).waitFor()
  expect((await stored()).translations).toEqual([
    {
      langcode: 'de',
      label: 'Rundgang',
      tips: [{ id: 'cart', label: 'Warenkorb', body: '<p>Ihre Sachen</p>' }],
    },
  ])
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Edit German' }).click()
  await drawer.getByLabel('Title of step 2').fill('Das Ende')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '2 of 2' }).waitFor()

  await page.getByRole('button', { name: 'Edit German' }).click()
  await drawer.getByRole('button', { name: 'Delete translation…' }).click()
  await page.getByRole('button', { name: 'Delete translation', exact: true }).click()
  await page.getByText('Every visitor sees the tour in its own language, English.').waitFor()
  expect((await stored()).translations).toEqual([])
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})

test('a step is set to continue with a click on its element', async () => {
  await makeTour()
  await using visit = await tutti.visit({ path })
  const { page } = visit
  await waitForPage(page, 'Shown around')
  await page.getByLabel('What continues “Cart”').selectOption('Click on the element')
  await expect
    .poll(async () => (await stored()).tips.map(({ advance }) => advance), patiently)
    .toEqual(['click', 'next'])
  // A step in the middle of the page has no element to use.
  expect(await page.getByLabel('What continues “The end”').count()).toBe(0)
})

test('a site gets a theme, texts and media origins', async () => {
  await administer(tutti.platform, 'DELETE', '/tours/sites/painted').catch(() => undefined)
  await using visit = await tutti.visit({ path: '/tour-sites' })
  const { page, complaints } = visit
  await waitForPage(page, 'Sites')
  await page.getByRole('button', { name: 'Add site' }).click()
  const drawer = page.getByRole('dialog')
  const field = (name: string) => drawer.getByRole('textbox', { name, exact: true })
  await field('Label').fill('Painted')
  await field('Media origins').fill('https://cdn.example')

  // The form says what is wrong before the platform does, and the platform refuses it as well.
  await field('Width').fill('10')
  await drawer.getByText('Must be a whole number from 200 to 800.').waitFor()
  await field('Accent, light').fill('reddish')
  await drawer.getByText('Must be a colour, such as #2457c5').waitFor()
  await drawer.getByRole('button', { name: 'Add site' }).click()
  await expect.poll(() => complaints.some((text) => text.includes('status of 400'))).toBe(true)
  await field('Width').fill('300')

  await drawer.getByText('All texts have a contrast of at least 4.5:1.').waitFor()
  await field('Accent, light').fill('#ff9999')
  await drawer.getByText('Light: the contrast of links on the card is 2.0:1.').waitFor()
  await drawer.getByLabel('Choose Accent, light').fill('#aa0000')
  expect(await field('Accent, light').inputValue()).toBe('#aa0000')
  await drawer.getByText('All texts have a contrast of at least 4.5:1.').waitFor()
  // The picker knows no opacity: that of the colour stays.
  await drawer.getByLabel('Choose Overlay, dark').fill('#101010')
  expect(await field('Overlay, dark').inputValue()).toBe('#1010109e')
  await drawer.getByLabel('Arrow from the card').uncheck()

  const language = drawer.getByRole('combobox', { name: 'Language' })
  expect(await field('Next button').getAttribute('placeholder')).toBe('Next')
  await field('Next button').fill('Onwards')
  await language.selectOption('German')
  expect(await field('Next button').getAttribute('placeholder')).toBe('Weiter')
  await field('Number of the step').fill('{step} aus {gesamt}')
  await drawer.getByText('Must not contain {gesamt}.').waitFor()
  await language.selectOption('Another language…')
  await field('Language code').fill('Finnish')
  await field('Language code').press('Enter')
  await drawer.getByText('Must be a language code').waitFor()
  await field('Language code').fill('fi')
  await drawer.getByRole('button', { name: 'Add language' }).click()
  await field('Next button').fill('Seuraava')
  // A problem of a language that is not shown is at the choice of the language.
  await drawer.getByRole('button', { name: 'Add site' }).click()
  await drawer.getByText('German: Must not contain {gesamt}.').waitFor()
  await language.selectOption('German, 1 own text')
  await field('Number of the step').fill('{step} aus {total}')
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await readSidewaysScroll(page)).toBe(0)
  await drawer.getByRole('button', { name: 'Add site' }).click()
  await drawer.waitFor({ state: 'detached' })
  const { site } = await administer<{ site: { player: object } }>(
    tutti.platform,
    'GET',
    '/tours/sites/painted',
  )
  expect(site.player).toEqual({
    theme: { width: 300, light: { accent: '#aa0000' }, dark: { shade: '#1010109e' }, arrow: false },
    texts: [
      { langcode: 'en', texts: { next: 'Onwards' } },
      { langcode: 'de', texts: { step: '{step} aus {total}' } },
      { langcode: 'fi', texts: { next: 'Seuraava' } },
    ],
    media_origins: ['https://cdn.example'],
  })
  await page.getByRole('button', { name: 'Painted' }).click()
  expect(await field('Width').inputValue()).toBe('300')
  expect(await field('Accent, light').inputValue()).toBe('#aa0000')
  expect(await drawer.getByLabel('Arrow from the card').isChecked()).toBe(false)
  expect(await field('Next button').inputValue()).toBe('Onwards')
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})
