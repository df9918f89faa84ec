import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SitePage } from '../support/site.ts'
import { frameSite } from './tours-framing.ts'
import { openTours, type ToursUnderTest } from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

const shop: SitePage = {
  title: 'Shop',
  body: `
    <main id="content">
      <h1>Shop</h1>
      <nav data-tour="menu"><a href="/basket" id=":r1:">Basket</a> <a href="/basket?id=4">Old basket</a></nav>
      <form id="find"><input name="q" aria-label="Search"><button class="is-active" disabled>Find</button></form>
      <ul><li><button>Edit</button></li><li><button>Delete</button></li><li><button>Edit</button></li></ul>
    </main>`,
  script: `
    window.touched = []
    for (const type of ['pointerdown', 'mousedown', 'click', 'keydown', 'focusin', 'submit'])
      document.addEventListener(type, (event) => window.touched.push(type), true)`,
}

describe('picking an element in a framed page', () => {
  test('by mouse: outlined, ranked, and invisible to the page', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    const { frame, page } = builder
    expect(await builder.hear('ready')).toMatchObject({ path: '/shop', route: null, title: 'Shop' })
    await builder.say({ type: 'pick' })
    await frame.getByRole('application').waitFor()
    const link = await frame.getByText('Basket', { exact: true }).boundingBox()
    await page.mouse.move((link?.x ?? 0) + 8, (link?.y ?? 0) + 8)
    expect(await builder.hear('hovered')).toMatchObject({ description: 'a “Basket”' })
    await frame.locator('.outline').getByText('a “Basket”').waitFor()
    await page.mouse.down()
    await page.mouse.up()
    const picked = await builder.hear('picked')
    expect(picked.text).toBe('Basket')
    expect(
      picked.candidates.map(({ selector, matches, stability }) => [selector, matches, stability]),
    ).toEqual([
      ['a[href="/basket"]', 1, 'medium'],
      ['a', 2, 'medium'],
      [expect.any(String), 1, 'low'],
    ])
    for (const { selector, why } of picked.candidates) {
      expect(selector).not.toContain(':r1:')
      expect(why.length).toBeGreaterThan(10)
    }
    expect(picked.rect.width).toBeGreaterThan(0)
    expect(await frame.evaluate('window.touched.filter((type) => type !== "focusin")')).toEqual([])
    expect(await frame.evaluate('location.pathname')).toBe('/shop')
    await frame.getByRole('application').waitFor({ state: 'detached' })
    expect(builder.complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
  })

  test('disabled elements can be picked, and state classes do not become selectors', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    const { frame, page } = builder
    await builder.hear('ready')
    await builder.say({ type: 'pick' })
    await frame.getByRole('application').waitFor()
    const button = await frame.getByText('Find', { exact: true }).boundingBox()
    await page.mouse.click((button?.x ?? 0) + 8, (button?.y ?? 0) + 8)
    const { candidates } = await builder.hear('picked')
    expect(candidates[0]).toMatchObject({ selector: 'button', matches: 4 })
    expect(candidates.some(({ selector }) => selector.includes('is-active'))).toBe(false)
  })

  test('by keyboard: Tab and arrows walk, Enter picks, Escape cancels', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    const { frame, page } = builder
    await builder.hear('ready')
    await page.locator('iframe').focus()
    await builder.say({ type: 'pick' })
    await frame.getByRole('application').waitFor()
    const walk = async (key: string, description: string) => {
      await page.keyboard.press(key)
      await frame.locator('.outline').getByText(description, { exact: true }).waitFor()
    }
    await page.keyboard.press('Tab')
    await walk('Tab', 'h1 “Shop”')
    await walk('Tab', 'nav “Basket Old basket”')
    await walk('ArrowDown', 'a “Basket”')
    await walk('ArrowRight', 'a “Old basket”')
    await walk('ArrowUp', 'nav “Basket Old basket”')
    await walk('Shift+Tab', 'h1 “Shop”')
    await walk('Tab', 'nav “Basket Old basket”')
    await page.keyboard.press('Enter')
    const { candidates } = await builder.hear('picked')
    expect(candidates[0]).toEqual({
      selector: '[data-tour="menu"]',
      matches: 1,
      stability: 'high',
      why: 'An attribute for tours.',
    })
    await builder.say({ type: 'pick' })
    await frame.getByRole('application').waitFor()
    await page.keyboard.press('Escape')
    await builder.hear('pick-cancelled')
    await frame.getByRole('application').waitFor({ state: 'detached' })
    expect(await frame.evaluate('window.touched.includes("keydown")')).toBe(false)
  })

  test('the builder ends it, and is notified when the page forbids it', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    await builder.hear('ready')
    await builder.say({ type: 'pick' })
    await builder.frame.getByRole('application').waitFor()
    await builder.say({ type: 'cancel-pick' })
    await builder.frame.getByRole('application').waitFor({ state: 'detached' })

    await using other = await frameSite(tours, `${site.url}/other`)
    await other.page.route('**/tours/picker.js', (route) => route.abort())
    await other.hear('ready')
    await other.say({ type: 'pick' })
    expect((await other.hear('pick-failed')).message).toContain('/tours/picker.js')
  })
})

describe('other requests of a builder', () => {
  const tip = {
    id: 's1',
    label: 'A step',
    body: '<p>Text</p>',
    selector: 'input[name="q"]',
    location: 'bottom',
  }

  test('count and return the elements that selectors match', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    await builder.hear('ready')
    await builder.say({ type: 'count', selectors: ['li button', '#gone', 'a:nope(', '[name=q]'] })
    expect((await builder.hear('counted')).counts).toEqual([
      { selector: 'li button', matches: 3, valid: true },
      { selector: '#gone', matches: 0, valid: true },
      { selector: 'a:nope(', matches: 0, valid: false },
      { selector: '[name=q]', matches: 1, valid: true },
    ])
    await builder.say({ type: 'highlight', selector: 'li button' })
    await expect.poll(() => builder.frame.locator('.outline').count()).toBe(3)
    await builder.say({ type: 'highlight', selector: null })
    await expect.poll(() => builder.frame.locator('.outline').count()).toBe(0)
  })

  test('shows a step while it is edited, without taking the focus or blocking the page', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    const { frame, page } = builder
    await builder.hear('ready')
    await builder.say({ type: 'show-step', tip, index: 1, total: 3 })
    expect(await builder.hear('step-shown')).toMatchObject({ stepId: 's1', found: true, matches: 1 })
    await frame.getByRole('dialog', { name: 'A step' }).getByText('Step 2 of 3').waitFor()
    expect(await page.evaluate('document.activeElement.localName')).toBe('body')
    await frame.getByRole('textbox').fill('shoes')
    await builder.say({
      type: 'show-step',
      tip: { ...tip, label: 'Renamed', selector: '#gone' },
      index: 1,
      total: 3,
    })
    expect(await builder.hear('step-shown')).toMatchObject({ found: false, selector: null })
    await frame.getByText('No element on this page matches').waitFor()
    await frame.getByRole('dialog', { name: 'Renamed' }).getByRole('button', { name: 'Next' }).click()
    expect(await builder.hear('step-action')).toMatchObject({ stepId: 's1', action: 'next' })
    await builder.say({ type: 'hide-step' })
    await frame.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('previews: reports shown, missing and other-page steps; nothing counts', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    const { frame } = builder
    await builder.hear('ready')
    const tour = {
      id: 'draft',
      label: 'Draft',
      launch: 'auto',
      routes: [{ route_name: '/elsewhere' }],
      tips: [
        tip,
        { ...tip, id: 's2', label: 'Missing', selector: '#gone' },
        { ...tip, id: 's3', label: 'Other page', route: '/other' },
      ],
    }
    await builder.say({ type: 'play', tour })
    expect(await builder.hear('preview-step-changed')).toMatchObject({ stepId: 's1', index: 0 })
    await frame.getByRole('button', { name: 'Next' }).click()
    expect(await builder.hear('preview-step-skipped')).toMatchObject({ stepId: 's2', selector: '#gone' })
    await frame.getByRole('button', { name: 'Skip' }).click()
    await builder.hear('ready')
    expect(await frame.evaluate('location.pathname')).toBe('/other')
    await builder.say({ type: 'play', tour, from: 2 })
    expect(await builder.hear('preview-step-changed')).toMatchObject({ stepId: 's3', index: 2 })
    await frame.getByRole('button', { name: 'Done' }).click()
    expect(await builder.hear('preview-ended')).toMatchObject({ outcome: 'completed' })
    expect(await frame.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    )
  })

  test('reports the route when the page changes it', async () => {
    await using site = await tours.openSite(() => shop)
    await using builder = await frameSite(tours, `${site.url}/shop`)
    await builder.hear('ready')
    await builder.frame.evaluate("history.pushState({}, '', '/shop/2')")
    expect(await builder.hear('route-changed')).toMatchObject({ path: '/shop/2' })
  })
})

describe('trusted parents', () => {
  test('a builder keeps published tours from starting; another site around the page does not, and gets no message', async () => {
    await tours.publish({
      id: 'framed',
      routes: ['/framed'],
      tips: [{ id: 'hello', label: 'Hello', body: '<p>Text</p>', location: 'center' }],
    })
    await using site = await tours.openSite(() => shop, { policy: "frame-ancestors *; script-src 'self' *" })
    await using builder = await frameSite(tours, `${site.url}/framed`)
    await builder.hear('ready')
    await expect.poll(() => builder.frame.evaluate('window.tuttiTours.list()')).toHaveLength(1)

    await using elsewhere = await tours.openSite(() => ({ ...shop, tag: null }), { policy: 'frame-src *' })
    await using stranger = await frameSite(tours, `${site.url}/framed`, elsewhere.url)
    await stranger.frame.getByRole('dialog', { name: 'Hello' }).waitFor()
    await stranger.say({ type: 'hello' })
    await stranger.say({ type: 'pick' })
    await stranger.say({ type: 'stop' })
    await stranger.frame.getByRole('dialog', { name: 'Hello' }).getByRole('button', { name: 'Done' }).click()
    expect(await stranger.page.evaluate('window.heard')).toEqual([])
    expect(await stranger.frame.getByRole('application').count()).toBe(0)
    expect(await builder.frame.getByRole('dialog', { name: 'Hello' }).count()).toBe(0)
  })
})
