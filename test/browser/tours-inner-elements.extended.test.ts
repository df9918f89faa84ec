import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SitePage, strictPolicy } from '../support/site.ts'
import { frameSite } from './tours-framing.ts'
import { openTours, stepCard, type ToursUnderTest, untilOnScreen } from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

/** A component with a shadow root, a frame of the same origin, and the class names of a bundler. */
const app: SitePage = {
  title: 'App',
  body: `
    <h1>App</h1>
    <div class="_toolbar_1x2y3_12 css-kxqwzt sc-bdVaJa"><p class="_hint_abcde_7">Nothing</p><p class="_hint_abcde_7">Hint</p></div>
    <a href="/card?id=4" class="card"><span>Plan</span><span>Everything that a team of many people needs for its whole work</span></a>
    <my-menu id="menu"></my-menu>
    <iframe name="inner" title="Inner" src="/inner" width="400" height="200"></iframe>`,
  styles: '.card { display: flex; flex-direction: column } iframe { display: block; border: 5px solid }',
  script: `
    customElements.define('my-menu', class extends HTMLElement {
      connectedCallback() {
        const button = document.createElement('button')
        button.textContent = 'Open the menu'
        button.name = 'open'
        const other = document.createElement('button')
        other.textContent = 'Other'
        this.attachShadow({ mode: 'open' }).append(button, other)
      }
    })`,
}
const inner: SitePage = {
  title: 'Inner',
  body: '<h2>Inner</h2><p>Text</p><button id="save">Save</button>',
  tag: null,
}
const pages = (path: string) => (path === '/inner' ? inner : app)

/** The strict policy, with trusted types, for a site that frames its own pages. */
const policy = () =>
  strictPolicy(tours.platform.url).replace(/frame-ancestors/, "frame-src 'self'; frame-ancestors 'self'")

async function pickAt(frame: { x: number; y: number }, builder: Awaited<ReturnType<typeof frameSite>>) {
  await builder.say({ type: 'pick' })
  await builder.frame.getByRole('application').waitFor()
  await builder.page.mouse.click(frame.x + 4, frame.y + 4)
  return await builder.hear('picked')
}

describe('picking under a strict policy with trusted types', () => {
  test('an element in a shadow root and one in a frame: the selector names the way', async () => {
    await using site = await tours.openSite(pages, { policy: policy() })
    await using builder = await frameSite(tours, `${site.url}/app`)
    const { frame } = builder
    await builder.hear('ready')
    const button = await frame.getByRole('button', { name: 'Open the menu' }).boundingBox()
    const inShadow = await pickAt(button ?? { x: 0, y: 0 }, builder)
    expect(inShadow.candidates[0]).toMatchObject({
      selector: '#menu >>> button[name="open"]',
      matches: 1,
      stability: 'high',
    })
    expect(inShadow.title).toBe('Open the menu')

    const save = await frame.frameLocator('iframe').getByRole('button', { name: 'Save' }).boundingBox()
    const inFrame = await pickAt(save ?? { x: 0, y: 0 }, builder)
    expect(inFrame.candidates[0]).toMatchObject({ selector: 'iframe[name="inner"] >>> #save', matches: 1 })
    const around = await builder.page.locator('iframe').boundingBox()
    expect(Math.abs(inFrame.rect.x + (around?.x ?? 0) - (save?.x ?? 0))).toBeLessThan(4)

    const selectors = [...inShadow.candidates, ...inFrame.candidates].map(({ selector }) => selector)
    await builder.say({ type: 'count', selectors })
    const { counts } = await builder.hear('counted')
    expect(counts.every(({ matches, valid }) => valid && matches > 0)).toBe(true)
    expect(builder.complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
  })

  test('keys walk into shadow roots and frames', async () => {
    await using site = await tours.openSite(pages, { policy: policy() })
    await using builder = await frameSite(tours, `${site.url}/app`)
    const { frame, page } = builder
    await builder.hear('ready')
    await page.locator('iframe').focus()
    await builder.say({ type: 'pick' })
    await frame.getByRole('application').waitFor()
    const walk = async (key: string, description: string) => {
      await page.keyboard.press(key)
      await frame.locator('.outline').getByText(description, { exact: true }).waitFor()
    }
    await walk('Tab', 'h1 “App”')
    await walk('Tab', 'a “Plan Everything that a team of many…”')
    await walk('Tab', 'my-menu')
    await walk('Tab', 'button “Open the menu”')
    await walk('ArrowRight', 'button “Other”')
    await walk('ArrowUp', 'my-menu')
    await walk('Shift+Tab', 'a “Plan Everything that a team of many…”')
    await walk('Tab', 'my-menu')
    await walk('Tab', 'button “Open the menu”')
    await walk('Tab', 'button “Other”')
    await walk('Tab', 'h2 “Inner”')
    await walk('ArrowUp', 'body “Inner Text Save”')
    await walk('ArrowUp', 'iframe “Inner”')
    await page.keyboard.press('Enter')
    expect((await builder.hear('picked')).candidates[0]).toMatchObject({ selector: 'iframe[name="inner"]' })
  })

  test('generated class names are not used, and titles end with a word', async () => {
    await using site = await tours.openSite(pages, { policy: policy() })
    await using builder = await frameSite(tours, `${site.url}/app`)
    const { frame } = builder
    await builder.hear('ready')
    const hint = await frame.getByText('Hint', { exact: true }).boundingBox()
    const picked = await pickAt(hint ?? { x: 0, y: 0 }, builder)
    expect(picked.candidates.length).toBeGreaterThan(0)
    for (const { selector } of picked.candidates) expect(selector).not.toMatch(/_hint|_toolbar|css-|sc-/)
    const card = await frame.getByText('Plan').boundingBox()
    expect((await pickAt(card ?? { x: 0, y: 0 }, builder)).title).toBe(
      'Plan Everything that a team of many people needs for its…',
    )
  })
})

test('visitors see steps beside elements of shadow roots and frames, from right to left and on a phone', async () => {
  await tours.publish({
    id: 'inside',
    routes: ['/app'],
    tips: [
      { id: 'shadow', label: 'Shadow', selector: '#menu >>> button[name="open"]', location: 'bottom' },
      { id: 'frame', label: 'Frame', selector: 'iframe[name="inner"] >>> #save', location: 'bottom' },
    ],
  })
  const rtl = { ...app, html: 'lang="ar" dir="rtl"' }
  await using site = await tours.openSite((path) => (path === '/inner' ? inner : rtl), { policy: policy() })
  await using visitor = await tours.visit(`${site.url}/app`, { viewport: { width: 360, height: 640 } })
  const { page } = visitor
  const spot = async () => await page.locator('.spot').boundingBox()
  await stepCard(page, 'Shadow').waitFor()
  const button = await page.getByRole('button', { name: 'Open the menu', exact: true }).last().boundingBox()
  await expect.poll(async () => Math.abs(((await spot())?.x ?? 0) + 4 - (button?.x ?? 0))).toBeLessThan(2)
  // The buttons are in the language of the page.
  await stepCard(page, 'Shadow').getByRole('button', { name: 'التالي' }).click()
  await stepCard(page, 'Frame').waitFor()
  const inFrame = () => page.frameLocator('iframe').locator('#save').boundingBox()
  await expect
    .poll(async () => Math.abs(((await spot())?.y ?? 0) + 4 - ((await inFrame())?.y ?? 0)))
    .toBeLessThan(2)
  await untilOnScreen(stepCard(page, 'Frame'))
  await stepCard(page, 'Frame').getByRole('button', { name: 'تم' }).click()
  expect(visitor.complaints).toEqual([])
})

test.each([
  [
    'a shadow root',
    '#menu >>> button[name="open"]',
    (page: Page) => page.getByRole('button', { name: 'Open the menu', exact: true }),
  ],
  ['a frame', 'iframe[name="inner"] >>> #save', (page: Page) => page.frameLocator('iframe').locator('#save')],
] as const)('a click on an element of %s continues the step', async (place, selector, find) => {
  const id = place === 'a frame' ? 'click_frame' : 'click_shadow'
  await tours.publish({
    id,
    routes: [`/${id}`],
    tips: [
      { id: 'use', label: 'Use it', selector, location: 'bottom', advance: 'click' },
      { id: 'end', label: 'Well done', location: 'center' },
    ],
  })
  await using site = await tours.openSite((path) => (path === '/inner' ? inner : app), { policy: policy() })
  await using visitor = await tours.visit(`${site.url}/${id}`)
  const { page } = visitor
  await stepCard(page, 'Use it').waitFor()
  await find(page).click()
  await stepCard(page, 'Well done').waitFor()
  expect(visitor.complaints).toEqual([])
})
