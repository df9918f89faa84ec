import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileBodies, hostileLabels, hostileSelectors } from '../fixtures/hostile-tours.ts'
import { patience } from '../support/patience.ts'
import { administer } from './administer.ts'
import {
  openTours,
  patiently,
  stepCard,
  type ToursUnderTest,
  toursPath,
  untilOnScreen,
  untilPlayerLoaded,
} from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

const page = { title: 'Page', body: '<h1>Page</h1><button id="one">One</button>' }
const steps = [
  { id: 'hello', label: 'Hello', body: '<p>Text</p>', location: 'center' },
  { id: 'one', label: 'One', body: '<p>Text</p>', selector: '#one', location: 'bottom' },
]

describe('a page with the player', () => {
  test('gets one global, and ignores a second tag', async () => {
    await tours.publish({ id: 'twice', routes: ['/twice'], tips: steps })
    const second = `<script src="${tours.platform.url}/tours/player.js" defer></script>`
    await using site = await tours.openSite(() => ({ ...page, body: page.body + second + second }))
    await using bare = await tours.visit(`${site.url}/without`)
    await using visitor = await tours.visit(`${site.url}/twice`)
    await stepCard(visitor.page, 'Hello').waitFor()
    expect(await visitor.page.locator('[data-tutti-tours]').count()).toBe(1)
    await visitor.page.keyboard.press('Escape')
    await expect.poll(() => visitor.told.map(({ event }) => event)).toEqual(['view', 'step_view', 'dismiss'])
    await untilPlayerLoaded(bare.page)
    const added = await bare.page.evaluate(`(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow))
      frame.remove()
      return Object.getOwnPropertyNames(window).filter((name) => !usual.has(name) && !/^(?:__pw|__play|\\d)/.test(name))
    })()`)
    expect(added).toEqual(['tuttiTours'])
  })

  test('works when the platform responds with nonsense, an error or not at all', async () => {
    for (const [path, answer] of [
      ['/nonsense', { status: 200, body: '<html>', contentType: 'text/html' }],
      ['/wrong', { status: 200, json: { tours: [{ id: 4 }, null, { tips: 'x' }] } }],
      ['/broken', { status: 500, json: { success: false } }],
      ['/away', undefined],
    ] as const) {
      await using site = await tours.openSite(() => page)
      await using visitor = await tours.visit('about:blank')
      const faults: string[] = []
      visitor.page.on('pageerror', (error) => faults.push(error.message))
      await visitor.page.route('**/tours/published?*', (route) =>
        answer === undefined
          ? route.abort()
          : route.fulfill({ ...answer, headers: { 'access-control-allow-origin': '*' } }),
      )
      await visitor.page.goto(site.url + path)
      await untilPlayerLoaded(visitor.page)
      expect(await visitor.page.evaluate('window.tuttiTours.list()')).toEqual([])
      expect(await visitor.page.evaluate("window.tuttiTours.start('x')")).toBe(false)
      await visitor.page.locator('#one').click()
      expect(faults).toEqual([])
    }
  })

  test('cannot take the focus from a button of a notice, but its visitor can move it', async () => {
    await tours.publish({ id: 'kept', launch: 'invite', routes: ['/kept'], tips: steps })
    const body =
      '<h1 tabindex="-1">Page</h1><button id="one">One</button><div role="dialog" aria-modal="true"><button>Close</button></div>'
    await using site = await tours.openSite(() => ({ ...page, body }))
    await using visitor = await tours.visit(`${site.url}/kept`)
    const take = visitor.page.getByRole('button', { name: 'Take the tour' })
    const focused = () => visitor.page.evaluate<string>('document.activeElement.textContent')
    const focus = (selector: string) => visitor.page.evaluate(`document.querySelector('${selector}').focus()`)
    await take.focus()
    // As applications do when the content of a page has loaded.
    await focus('h1')
    expect(
      await visitor.page.evaluate(
        "document.querySelector('[data-tutti-tours]').shadowRoot.activeElement.textContent",
      ),
    ).toBe('Take the tour')
    await focus('[aria-modal] button')
    expect(await focused()).toBe('Close')
    await take.focus()
    await visitor.page.locator('#one').click()
    expect(await focused()).toBe('One')
    await take.focus()
    await focus('h1')
    await visitor.page.keyboard.press('Enter')
    await stepCard(visitor.page, 'Hello').waitFor()
  })

  test('resends events that the platform did not accept, when allowed', async () => {
    await tours.publish({ id: 'again', routes: ['/again'], tips: steps })
    await using site = await tours.openSite(() => page)
    await using visitor = await tours.visit('about:blank')
    const answers: number[] = []
    await visitor.page.route('**/tour/again/event', async (route) => {
      if (route.request().method() !== 'POST' || answers.length > 0) return await route.continue()
      answers.push(429)
      await route.fulfill({
        status: 429,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'Retry-After',
          'retry-after': '1',
        },
      })
    })
    await visitor.page.goto(`${site.url}/again`)
    await stepCard(visitor.page, 'Hello').waitFor()
    await visitor.page.keyboard.press('Escape')
    await expect.poll(() => answers).toEqual([429])
    await expect.poll(readTotals, patiently).toEqual([1, 1])

    async function readTotals(): Promise<number[]> {
      const { totals } = await administer<{ totals: { views: number; dismissals: number } }>(
        tours.platform,
        'GET',
        `${toursPath}/again/analytics`,
      )
      return [totals.views, totals.dismissals]
    }
  })

  test('isolates its styles from tours, and theirs from it', async () => {
    await tours.publish({ id: 'styles', routes: ['/styles'], tips: steps })
    await using site = await tours.openSite(() => ({
      ...page,
      styles: `
        * { color: red !important; font-size: 40px !important }
        div { display: none !important; opacity: 0.1; transform: rotate(90deg) }
        button { width: 100% !important; text-transform: uppercase }
        h2, p { visibility: hidden !important }`,
    }))
    await using visitor = await tours.visit(`${site.url}/styles`)
    const card = stepCard(visitor.page, 'Hello')
    await card.waitFor()
    await expect.poll(async () => (await card.boundingBox())?.width).toBe(360)
    expect(await card.getByText('Text').isVisible()).toBe(true)
    await card.getByRole('button', { name: 'Next' }).click()
    await stepCard(visitor.page, 'One').waitFor()
  })

  test('may open or close a modal dialog, or replace its whole content', async () => {
    await tours.publish({ id: 'above', routes: ['/above'], tips: steps })
    await using site = await tours.openSite(() => ({
      ...page,
      body: '<dialog id="theirs"><button id="one">One</button></dialog>',
      script: "document.querySelector('#theirs').showModal()",
    }))
    await using visitor = await tours.visit(`${site.url}/above`)
    await stepCard(visitor.page, 'Hello').getByRole('button', { name: 'Next' }).click()
    await stepCard(visitor.page, 'One').waitFor()
    await visitor.page.evaluate("document.querySelector('#theirs').close()")
    await stepCard(visitor.page, 'One').getByRole('button', { name: 'Back' }).click()
    await stepCard(visitor.page, 'Hello').waitFor()
    await visitor.page.evaluate("document.body.textContent = 'Another page'")
    await stepCard(visitor.page, 'Hello').waitFor()
    await visitor.page.keyboard.press('Escape')
    await stepCard(visitor.page, 'Hello').waitFor({ state: 'detached' })
  })

  test('fits steps at 360 pixels, and right to left', async () => {
    await tours.publish({ id: 'narrow', routes: ['/narrow'], tips: steps })
    await using site = await tours.openSite(() => ({ ...page, html: 'lang="ar" dir="rtl"' }))
    await using visitor = await tours.visit(`${site.url}/narrow`, { viewport: { width: 360, height: 640 } })
    await stepCard(visitor.page, 'Hello').waitFor()
    // In right-to-left pages the left arrow moves forward.
    await visitor.page.keyboard.press('ArrowLeft')
    const card = stepCard(visitor.page, 'One')
    await untilOnScreen(card)
    const [close, title] = await Promise.all([
      card.getByRole('button', { name: 'إنهاء الجولة' }).boundingBox(),
      card.getByRole('heading').boundingBox(),
    ])
    expect(close?.x).toBeLessThan(title?.x ?? 0)
    await visitor.page.keyboard.press('ArrowRight')
    await stepCard(visitor.page, 'Hello').waitFor()
  })

  test('and its tours may have different text directions', async () => {
    const tip = { label: 'مرحبا', body: '<p>أهلاً بك، <strong>Tutti</strong>!</p>', location: 'center' }
    await tours.publish({ id: 'arabic', routes: ['/arabic'], tips: [tip] })
    await using site = await tours.openSite(() => page)
    await using visitor = await tours.visit(`${site.url}/arabic`)
    const card = stepCard(visitor.page, 'مرحبا')
    await card.waitFor()
    const line = `document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('[role=dialog] p')`
    const direction = await visitor.page.evaluate<string>(`getComputedStyle(${line}).direction`)
    expect(direction).toBe('rtl')
  })

  test('decides the colours, else the system of the visitor does', async () => {
    await tours.publish({ id: 'colours', routes: ['/colours', '/forced'], tips: steps })
    await using site = await tours.openSite((path) => ({
      ...page,
      tag: path === '/forced' ? 'data-theme="dark"' : '',
    }))
    const ground = async (path: string, colorScheme: 'light' | 'dark') => {
      await using visitor = await tours.visit(site.url + path, { colorScheme })
      const card = stepCard(visitor.page, 'Hello')
      await card.waitFor()
      return await visitor.page.evaluate<string>(
        "getComputedStyle(document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.card')).backgroundColor",
      )
    }
    const [light, dark] = [await ground('/colours', 'light'), await ground('/colours', 'dark')]
    expect(light).not.toBe(dark)
    expect(await ground('/forced', 'light')).toBe(dark)
  })

  test('moves nothing with prefers-reduced-motion', async () => {
    await tours.publish({ id: 'still', routes: ['/still'], tips: steps })
    await using site = await tours.openSite(() => page)
    for (const [reducedMotion, count] of [
      ['reduce', 0],
      ['no-preference', 1],
    ] as const) {
      await using visitor = await tours.visit(`${site.url}/still`, { reducedMotion })
      await stepCard(visitor.page, 'Hello').waitFor()
      const names = await visitor.page.evaluate<string>(
        "getComputedStyle(document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.card')).animationName",
      )
      expect(names === 'none' ? 0 : 1).toBe(count)
    }
  })

  test('needs only the platform in its content security policy, trusted types included', async () => {
    await tours.publish({ id: 'policy', routes: ['/policy'], tips: steps })
    await using site = await tours.openSite(() => page)
    await using visitor = await tours.visit(`${site.url}/policy`)
    await stepCard(visitor.page, 'Hello').getByText('Text').waitFor()
    expect(visitor.complaints).toEqual([])
    // The policy is in force.
    await expect(visitor.page.evaluate("document.body.innerHTML = '<b>x</b>'")).rejects.toThrow('TrustedHTML')
  })
})

describe('hostile content in a tour', () => {
  test('neither runs nor breaks the page, even when it was stored unsanitized', {
    timeout: 180_000 * patience,
  }, async () => {
    await tours.publish({ id: 'hostile', routes: ['/hostile'], tips: steps })
    // A policy that blocks scripts would hide that they were inserted.
    const policy = `script-src 'self' 'unsafe-inline' ${tours.platform.url}; connect-src *`
    await using site = await tours.openSite(() => page, { policy })
    await using visitor = await tours.visit(`${site.url}/hostile`)
    const faults: string[] = []
    visitor.page.on('pageerror', (error) => faults.push(error.message))
    const count = Math.max(hostileBodies.length, hostileLabels.length, hostileSelectors.length)
    const tips = Array.from({ length: count }, (_, index) => ({
      ...wholeTip,
      id: `step-${index}`,
      label: storable(hostileLabels[index % hostileLabels.length] ?? ''),
      body: storable(hostileBodies[index % hostileBodies.length] ?? ''),
      candidates: [storable(hostileSelectors[index % hostileSelectors.length] ?? '')],
    }))
    await store('hostile', tips)
    await visitor.page.evaluate("void window.tuttiTours.start('hostile')")
    for (const { id } of tips) {
      const card = visitor.page.locator(`[role=dialog][data-step="${id}"]`)
      await card.waitFor()
      for (const link of await card.getByRole('link').all()) {
        expect(await link.getAttribute('href')).toMatch(
          /^(?:https?:\/\/|mailto:|[./?#]|[a-z0-9_-]+(?:[/?#]|$))/i,
        )
      }
      await card.locator('.primary').click()
    }
    await visitor.page.locator('[role=dialog]').waitFor({ state: 'detached' })
    expect(await visitor.page.evaluate('window.tuttiWasRun')).toBeUndefined()
    expect(await visitor.page.evaluate('document.body.children.length')).toBe(2)
    expect(faults).toEqual([])
  })

  test('as selectors neither throws nor blocks', async () => {
    await tours.publish({ id: 'selectors', launch: 'manual', routes: ['/selectors'], tips: steps })
    await using site = await tours.openSite(() => page)
    await using visitor = await tours.visit(`${site.url}/selectors`)
    const candidates = [...hostileSelectors.map(storable), '#one']
    await store('selectors', [{ ...wholeTip, label: 'One', selector: '#never', candidates }])
    await visitor.page.evaluate("void window.tuttiTours.start('selectors')")
    await stepCard(visitor.page, 'One').waitFor()
    expect(visitor.complaints).toEqual([])
  })
})

const wholeTip = {
  id: 'step',
  label: 'Step',
  body: '',
  selector: '#one',
  location: 'bottom',
  weight: 1,
  route: null,
  candidates: [] as readonly string[],
  target_text: null,
}

/** The part of a text that PostgreSQL can store. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Stores steps without sanitizing them. */
async function store(tour: string, tips: readonly (typeof wholeTip)[]): Promise<void> {
  await tours.database.query('update tours set tips = $1, revision = revision + 1 where id = $2', [
    JSON.stringify(tips),
    tour,
  ])
}
