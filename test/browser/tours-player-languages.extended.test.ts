import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { findViolations } from './find-violations.ts'
import { openTours, stepCard, type ToursUnderTest, toursPath } from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
  await tours.publish({
    id: 'languages',
    label: 'Around the shop',
    launch: 'invite',
    routes: ['/'],
    tips: [
      { id: 'one', label: 'Cart', body: '<p>Your things</p>', selector: '#cart', location: 'bottom' },
      { id: 'two', label: 'Only in English', location: 'center' },
    ],
  })
  await administer(tours.platform, 'PUT', `${toursPath}/languages`, {
    translations: [
      {
        langcode: 'de',
        label: 'Durch den Laden',
        tips: [{ id: 'one', label: 'Warenkorb', body: '<p>Ihre Sachen</p>' }],
      },
      {
        langcode: 'ar',
        label: 'جولة في المتجر',
        tips: [{ id: 'one', label: 'السلة', body: '<p>أغراضك</p>' }],
      },
    ],
  })
})
afterAll(() => tours[Symbol.asyncDispose]())

const body = '<main><h1>Shop</h1><button id="cart">Cart</button></main>'
const open = (html: string) => tours.openSite(() => ({ title: 'Shop', body, html }))

describe('a page in another language', () => {
  test('gets buttons, texts and steps in it, and steps without a translation in the language of the tour', async () => {
    await using site = await open('lang="de-AT"')
    await using visitor = await tours.visit(site.url)
    const { page, complaints } = visitor
    const invitation = page.getByRole('region', { name: 'Durch den Laden' })
    await invitation.getByText('Eine Tour mit 2 Schritten.').waitFor()
    await invitation.getByRole('button', { name: 'Tour starten' }).click()
    const card = stepCard(page, 'Warenkorb')
    await card.getByText('Schritt 1 von 2').waitFor()
    await card.getByText('Ihre Sachen').waitFor()
    expect(await card.locator('#body').getAttribute('lang')).toBe('de')
    await card.getByRole('button', { name: 'Weiter' }).click()
    await stepCard(page, 'Only in English').getByRole('button', { name: 'Fertig' }).click()
    expect(complaints).toEqual([])
  })

  test('is laid out from right to left, under a strict policy with trusted types', async () => {
    await using site = await open('lang="ar" dir="rtl"')
    await using visitor = await tours.visit(site.url, { viewport: { width: 360, height: 640 } })
    const { page, complaints } = visitor
    const invitation = page.getByRole('region', { name: 'جولة في المتجر' })
    await invitation.getByRole('button', { name: 'بدء الجولة' }).click()
    const card = stepCard(page, 'السلة')
    await card.getByText('الخطوة 1 من 2').waitFor()
    const next = await card.getByRole('button', { name: 'التالي' }).boundingBox()
    const count = await card.getByText('الخطوة 1 من 2').boundingBox()
    expect(next?.x).toBeLessThan(count?.x ?? 0)
    expect(await findViolations(page)).toEqual([])
    // In Arabic, forward is to the left.
    await page.keyboard.press('ArrowLeft')
    await stepCard(page, 'Only in English').waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  })

  test('without a translation gets the language of the tour and English buttons', async () => {
    await using site = await open('lang="fi"')
    await using visitor = await tours.visit(site.url)
    const { page } = visitor
    await page.getByRole('button', { name: 'Take the tour' }).click()
    await stepCard(page, 'Cart').getByRole('button', { name: 'Next' }).waitFor()
  })

  test('without a declared language gets that of the browser', async () => {
    await using site = await open('')
    await using visitor = await tours.visit(site.url, { locale: 'ja-JP' })
    await visitor.page.getByRole('button', { name: 'ツアーを始める' }).waitFor()
  })
})

describe('a site with settings of the player', () => {
  test('has its own texts, colours, width and corners, which the page can override', async () => {
    const site_id = 'styled'
    await administer(tours.platform, 'DELETE', `/tours/sites/${site_id}`).catch(() => undefined)
    await administer(tours.platform, 'POST', '/tours/sites', {
      id: site_id,
      label: 'Styled',
      player: {
        theme: {
          light: { accent: '#aa0000', surface: 'rgb(250 250 200)' },
          font: 'Georgia, serif',
          width: 300,
          radius: 2,
        },
        texts: [
          { langcode: 'en', texts: { next: 'Onwards' } },
          { langcode: 'fi', texts: { next: 'Seuraava' } },
        ],
      },
    })
    await tours.publish({
      id: 'styled',
      site_id,
      routes: ['/*'],
      tips: [
        { label: 'One', selector: '#cart', location: 'bottom' },
        { label: 'Two', location: 'center' },
      ],
    })
    const styles = ':root { --tutti-tour-radius: 0px }'
    await using site = await tours.openSite((path) => ({
      title: 'Shop',
      body,
      tag: `data-site="${site_id}" data-theme="light"`,
      styles,
      html: path === '/fi' ? 'lang="fi"' : 'lang="en"',
    }))
    await using visitor = await tours.visit(`${site.url}/en`)
    const { page, complaints } = visitor
    const card = stepCard(page, 'One')
    await card.getByRole('button', { name: 'Onwards' }).waitFor()
    const look = await page.evaluate(`(() => {
      const card = document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.card')
      const { backgroundColor, fontFamily, width, borderRadius } = getComputedStyle(card)
      return { backgroundColor, fontFamily, width, borderRadius }
    })()`)
    expect(look).toEqual({
      backgroundColor: 'rgb(250, 250, 200)',
      fontFamily: 'Georgia, serif',
      width: '300px',
      borderRadius: '0px',
    })
    const arrow = page.locator('[data-tutti-tours] .arrow')
    // The arrow is below the element and points to its middle.
    await expect
      .poll(async () => {
        const [tip, target] = [await arrow.boundingBox(), await page.locator('#cart').boundingBox()]
        if (tip === null || target === null) return undefined
        const aside = Math.abs(tip.x + tip.width / 2 - (target.x + target.width / 2))
        return aside < 20 && tip.y >= target.y + target.height
      })
      .toBe(true)
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Two').waitFor()
    await arrow.waitFor({ state: 'hidden' })
    await using finn = await tours.visit(`${site.url}/fi`)
    await finn.page.getByRole('button', { name: 'Seuraava' }).waitFor()
    expect(complaints).toEqual([])
    await administer(tours.platform, 'PUT', `/tours/sites/${site_id}`, {
      player: { theme: { arrow: false } },
    })
    await using plain = await tours.visit(`${site.url}/plain`)
    await stepCard(plain.page, 'One').getByRole('button', { name: 'Next' }).waitFor()
    expect(await plain.page.locator('[data-tutti-tours] .arrow').isVisible()).toBe(false)
  })
})
