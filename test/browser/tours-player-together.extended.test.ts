import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledTexts } from '../../src/tours/player/bundled-texts.ts'
import { strictPolicy } from '../support/site.ts'
import { administer } from './administer.ts'
import { findViolations } from './find-violations.ts'
import {
  openTours,
  patiently,
  stepCard,
  type ToursUnderTest,
  toursPath,
  untilOnScreen,
} from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

const screen = { width: 360, height: 640 }

async function expectOnScreen(card: Locator): Promise<void> {
  await untilOnScreen(card)
  await expect
    .poll(async () => {
      const box = await card.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    })
    .toBeLessThanOrEqual(screen.height)
}

/** Writes down what the page is told. */
const script = `
  window.heard = JSON.parse(sessionStorage.getItem('heard') ?? '[]')
  for (const name of ['started', 'stepShown', 'stepMissing', 'completed', 'dismissed'])
    window.addEventListener('tutti-tours:' + name, ({ detail }) => {
      window.heard.push(name + ' ' + detail.step)
      sessionStorage.setItem('heard', JSON.stringify(window.heard))
    })`

const body = `<main><h1>متجر</h1><button id="open">افتح</button> <input id="name" aria-label="الاسم">
  <p><a id="link" href="/rtl-done">التالي</a></p></main>`

test('an Arabic page on a phone, with a strict policy and trusted types: all kinds of steps, for one kind of user, once', async () => {
  const site_id = 'arabic_shop'
  const id = 'together'
  await using site = await tours.openSite(
    (path) =>
      path.endsWith('.png')
        ? undefined
        : {
            title: 'متجر',
            body,
            script,
            html: 'lang="ar" dir="rtl"',
            tag: `data-site="${site_id}" data-user="amal" data-attribute-role="editor"`,
          },
    { policy: strictPolicy(tours.platform.url).replace('img-src data:', "img-src 'self' data:") },
  )
  await administer(tours.platform, 'DELETE', `${toursPath}/${id}`).catch(() => undefined)
  await administer(tours.platform, 'DELETE', `/tours/sites/${site_id}`).catch(() => undefined)
  await administer(tours.platform, 'POST', '/tours/sites', {
    id: site_id,
    label: 'Arabic shop',
    environments: [{ name: 'production', origin: site.url }],
    player: {
      theme: { width: 800, radius: 0, light: { accent: '#7a1f5c' } },
      texts: [{ langcode: 'ar', texts: { done: 'شكرًا' } }],
    },
  })
  await tours.publish({
    id,
    site_id,
    routes: ['/rtl', '/rtl-done'],
    tips: [
      { id: 'look', label: 'Look', body: '<p>See</p><img src="/a.png" alt="Map">', location: 'center' },
      { id: 'click', label: 'Open', selector: '#open', position: 'bottom-start', advance: 'click' },
      { id: 'gone', label: 'Gone', selector: '#gone' },
      { id: 'write', label: 'Write', selector: '#name', advance: 'input' },
      { id: 'go', label: 'Go', selector: '#link', advance: 'navigation', route: '/rtl' },
      { id: 'end', label: 'End', location: 'center' },
    ],
  })
  await administer(tours.platform, 'PUT', `${toursPath}/${id}`, {
    translations: [
      { langcode: 'ar', label: '', tips: [{ id: 'look', label: 'انظر', body: '<p>خريطة</p>' }] },
    ],
    targeting: {
      conditions: [{ attribute: 'role', operator: 'is', values: ['editor'] }],
      ends_at: '2100-01-01T00:00:00Z',
    },
  })

  await using visitor = await tours.visit(`${site.url}/rtl`, { viewport: screen })
  const { page, complaints } = visitor
  const look = stepCard(page, 'انظر')
  await expectOnScreen(look)
  const card =
    "getComputedStyle(document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.card'))"
  expect(await page.evaluate(`[${card}.direction, ${card}.borderRadius]`)).toEqual(['rtl', '0px'])
  expect(await findViolations(page)).toEqual([])
  // In Arabic, forward is to the left.
  await page.keyboard.press('ArrowLeft')
  await expectOnScreen(stepCard(page, 'Open'))
  await page.locator('#open').click()
  const gone = stepCard(page, 'Gone')
  await expectOnScreen(gone)
  await gone.getByRole('button', { name: bundledTexts['ar']?.skip ?? '' }).click()
  await expectOnScreen(stepCard(page, 'Write'))
  await page.locator('#name').fill('أمل')
  await page.locator('#name').press('Enter')
  await expectOnScreen(stepCard(page, 'Go'))
  await page.locator('#link').click()
  const end = stepCard(page, 'End')
  await expectOnScreen(end)
  expect(new URL(page.url()).pathname).toBe('/rtl-done')
  const stored = page.waitForResponse((response) => response.url().endsWith('/tours/visits/ended'))
  await end.getByRole('button', { name: 'شكرًا' }).click()
  expect((await stored).status()).toBe(202)
  await expect
    .poll(() => page.evaluate('window.heard'))
    .toEqual([
      'started look',
      'stepShown look',
      'stepShown click',
      'stepMissing gone',
      'stepShown write',
      'stepShown go',
      'stepShown end',
      'completed end',
    ])
  // The image is the only thing that the page lacks.
  expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([])

  await using tablet = await tours.visit(`${site.url}/rtl`)
  await expect
    .poll(() => tablet.page.evaluate('window.tuttiTours?.list()'))
    .toEqual([expect.objectContaining({ id, state: 'completed' })])
  expect(await tablet.page.getByRole('dialog').count()).toBe(0)
  await expect
    .poll(async () => {
      const { totals, steps } = await administer<{
        totals: { completions: number }
        steps: { missing: number }[]
      }>(tours.platform, 'GET', `${toursPath}/${id}/analytics`)
      return [totals.completions, steps.map(({ missing }) => missing)]
    }, patiently)
    .toEqual([1, [0, 0, 1, 0, 0, 0]])
})
