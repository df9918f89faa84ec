import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { openTours, stepCard, type ToursUnderTest } from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

/** The same page at every path, so that each test has its own path and tour. */
const shop = () => ({
  title: 'Shop',
  body: `
    <main>
      <h1>Shop</h1>
      <button id="search">Search</button>
      <button id="basket">Basket</button>
    </main>`,
  script: `
    window.heard = []
    document.addEventListener('keydown', (event) => window.heard.push(event.key), true)
    document.querySelector('#basket').focus()`,
})

const threeSteps = [
  { id: 'hello', label: 'Hello', body: '<p>Welcome to the <strong>shop</strong>.</p>', location: 'center' },
  { id: 'search', label: 'Searching', body: '<p>Type here.</p>', selector: '#search', location: 'bottom' },
  {
    id: 'basket',
    label: 'Your basket',
    body: '<p>What you buy. <a href="/terms">Terms</a></p>',
    selector: '#basket',
    location: 'right',
  },
]

describe('a tour on another site', () => {
  test('starts by itself, is completed by mouse, and sends each event once', async () => {
    await tours.publish({ id: 'walk', routes: ['/walk'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/walk`)
    const { page, told, complaints } = visitor

    await stepCard(page, 'Hello').getByText('Step 1 of 3').waitFor()
    await stepCard(page, 'Hello').getByRole('button', { name: 'Next' }).click()
    await stepCard(page, 'Searching').getByRole('button', { name: 'Back' }).click()
    await stepCard(page, 'Hello').getByRole('button', { name: 'Next' }).click()
    await stepCard(page, 'Searching').getByRole('button', { name: 'Next' }).click()
    await stepCard(page, 'Your basket').getByRole('button', { name: 'Done' }).click()
    await expect
      .poll(() => told.map(({ event, step_id }) => `${event} ${step_id ?? ''}`.trim()))
      .toEqual([
        'view',
        'step_view hello',
        'start',
        'step_complete hello',
        'step_view search',
        'step_complete search',
        'step_view basket',
        'step_complete basket',
        'complete',
      ])
    expect(new Set(told.map(({ play }) => play)).size).toBe(1)
    expect(told.at(-1)?.duration).toBeGreaterThan(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('is separate: the welcome tour of the console is neither offered nor started there', async () => {
    await tours.publish({ id: 'front', launch: 'manual', routes: ['/'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/`)
    const { page } = visitor
    await expect.poll(() => page.evaluate('window.tuttiTours?.list()')).toMatchObject([{ id: 'front' }])
    expect(await page.evaluate("window.tuttiTours.start('welcome')")).toBe(false)
    expect(await page.getByRole('region', { name: 'A tour of the console' }).count()).toBe(0)
  })

  test('is completed by keyboard, keeps the focus and returns it', async () => {
    await tours.publish({ id: 'keys', routes: ['/keys'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/keys`)
    const { page } = visitor
    const focused = (name: string) =>
      expect.poll(() => page.evaluate<string>(focusedName), { message: name }).toBe(name)

    await stepCard(page, 'Hello').waitFor()
    await focused('Next')
    await page.keyboard.press('Tab')
    await focused('End the tour')
    await page.keyboard.press('Shift+Tab')
    await focused('Next')
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Searching').waitFor()
    await page.keyboard.press('ArrowLeft')
    await stepCard(page, 'Hello').waitFor()
    await focused('Next')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await stepCard(page, 'Searching').waitFor()
    await focused('Next')
    await page.keyboard.press('Enter')
    await stepCard(page, 'Your basket').waitFor()
    await focused('Done')
    for (const name of ['End the tour', 'Terms', 'Back', 'Done', 'End the tour']) {
      await page.keyboard.press('Tab')
      await focused(name)
    }
    await page.keyboard.press('Escape')
    await stepCard(page, 'Your basket').waitFor({ state: 'detached' })
    await focused('Basket')
    expect(await page.evaluate('window.heard')).toEqual([])
    await page.keyboard.press('k')
    expect(await page.evaluate('window.heard')).toEqual(['k'])
  })

  test('is announced to screen readers, and axe reports no problem in light and dark', async () => {
    await tours.publish({ id: 'spoken', routes: ['/spoken'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    for (const colorScheme of ['light', 'dark'] as const) {
      await using visitor = await tours.visit(`${site.url}/spoken`, { colorScheme })
      const { page } = visitor
      const card = stepCard(page, 'Hello')
      await card.waitFor()
      expect(await card.getAttribute('aria-modal')).toBe('true')
      expect(await page.evaluate<string>(describedBy)).toBe('Welcome to the shop.')
      await expect.poll(() => page.evaluate<string>(spoken)).toBe('Step 1 of 3: Hello')
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => page.evaluate<string>(spoken)).toBe('Step 2 of 3: Searching')
      expect(await findViolations(page)).toEqual([])
    }
  })

  test('blocks the page while a step is shown', async () => {
    await tours.publish({ id: 'modal', routes: ['/modal'], tips: threeSteps })
    await using site = await tours.openSite(() => ({
      ...shop(),
      script: `document.querySelector('#search').addEventListener('click', () => document.title = 'clicked')`,
    }))
    await using visitor = await tours.visit(`${site.url}/modal`)
    const { page } = visitor
    await stepCard(page, 'Hello').waitFor()
    const box = await page.locator('#search').boundingBox()
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
    expect(await page.title()).toBe('Shop')
    await page.keyboard.press('Escape')
    await page.locator('#search').click()
    expect(await page.title()).toBe('clicked')
  })
})

describe('stored progress', () => {
  test('a dismissed tour does not come back, and starts on request', async () => {
    await tours.publish({ id: 'dismissed', routes: ['/dismissed'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/dismissed`)
    const { page, told } = visitor
    await stepCard(page, 'Hello').waitFor()
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Searching').getByRole('button', { name: 'End the tour' }).click()
    await expect.poll(() => told.at(-1)?.event).toBe('dismiss')
    await page.reload()
    await expect
      .poll(() => page.evaluate('window.tuttiTours.list()'))
      .toEqual([{ id: 'dismissed', label: 'dismissed', launch: 'auto', state: 'dismissed' }])
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate("window.tuttiTours.start('dismissed')")).toBe(true)
    await stepCard(page, 'Hello').waitFor()
    expect(await page.evaluate("window.tuttiTours.start('no_such_tour')")).toBe(false)
  })

  test('an interrupted tour resumes in the same tab at once, and in another on request', async () => {
    await tours.publish({ id: 'left', label: 'Around the shop', routes: ['/left'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/left`)
    const { page, told } = visitor
    await stepCard(page, 'Hello').waitFor()
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Searching').waitFor()
    await page.reload()
    await stepCard(page, 'Searching').waitFor()

    const another = await page.context().newPage()
    await another.goto(`${site.url}/left`)
    const invitation = another.getByRole('region', { name: 'Around the shop' })
    await invitation.getByText('You have not finished this tour.').waitFor()
    expect(await another.getByRole('dialog').count()).toBe(0)
    await invitation.getByRole('button', { name: 'Resume' }).click()
    await stepCard(another, 'Searching').waitFor()
    await expect.poll(() => told.filter(({ event }) => event === 'view').length).toBe(1)
  })

  test('a tour that resumes days later in the same tab is counted, without a duration', async () => {
    await tours.publish({ id: 'days', routes: ['/days'], tips: [{ label: 'Only', location: 'center' }] })
    await using site = await tours.openSite(() => ({ title: 'Days', body: '<h1>Days</h1>' }))
    await using visitor = await tours.visit(`${site.url}/days`)
    const { page, told } = visitor
    await stepCard(page, 'Only').waitFor()
    await page.evaluate(`
      const kept = JSON.parse(sessionStorage.getItem('tutti-tours-play'))
      sessionStorage.setItem('tutti-tours-play', JSON.stringify({ ...kept, startedAt: kept.startedAt - 3 * 86_400_000 }))
    `)
    await page.reload()
    const [taken] = await Promise.all([
      page.waitForResponse(
        (answer) =>
          answer.url().endsWith('/tour/days/event') &&
          // The response to events of a page that was left may arrive only now.
          answer.request().postData()?.includes('"event":"complete"') === true,
      ),
      stepCard(page, 'Only').getByRole('button', { name: 'Done' }).click(),
    ])
    expect(taken.status()).toBe(202)
    const completed = told.find(({ event }) => event === 'complete')
    expect(completed).toBeDefined()
    expect(completed?.duration).toBeUndefined()
  })

  test('an invitation asks first, does not take the focus, and is declined permanently', async () => {
    await tours.publish({
      id: 'invited',
      label: 'Look around?',
      launch: 'invite',
      routes: ['/invited'],
      tips: threeSteps,
    })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/invited`)
    const { page, told } = visitor
    const invitation = page.getByRole('region', { name: 'Look around?' })
    await invitation.getByText('A tour of 3 steps.').waitFor()
    expect(await page.evaluate<string>(focusedName)).toBe('Basket')
    expect(await findViolations(page)).toEqual([])
    await page.locator('#search').click()
    await invitation.getByRole('button', { name: 'Take the tour' }).click()
    await stepCard(page, 'Hello').waitFor()
    await page.keyboard.press('Escape')

    await using other = await tours.visit(`${site.url}/invited`)
    await other.page.getByRole('button', { name: 'No, thanks' }).click()
    await invitation.waitFor({ state: 'detached' })
    await other.page.reload()
    await expect.poll(() => other.page.evaluate('window.tuttiTours.list()')).toHaveLength(1)
    expect(await other.page.getByRole('region').count()).toBe(0)
    await expect.poll(() => told.map(({ event }) => event)).toEqual(['view', 'step_view', 'dismiss'])
  })

  test('a manual tour starts on request only', async () => {
    await tours.publish({ id: 'manual', launch: 'manual', routes: ['/manual'], tips: threeSteps })
    await using site = await tours.openSite(shop)
    await using visitor = await tours.visit(`${site.url}/manual`)
    const { page } = visitor
    await expect.poll(() => page.evaluate('window.tuttiTours.list()')).toHaveLength(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate('window.tuttiTours.start()')).toBe(true)
    await stepCard(page, 'Hello').waitFor()
    await page.evaluate('window.tuttiTours.stop()')
    await stepCard(page, 'Hello').waitFor({ state: 'detached' })
  })

  test('a browser without storage still plays', async () => {
    await tours.publish({ id: 'unstored', routes: ['/unstored'], tips: threeSteps })
    await using site = await tours.openSite(() => ({
      ...shop(),
      script: `
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError') } })`,
    }))
    await using visitor = await tours.visit(`${site.url}/unstored`)
    const { page, complaints } = visitor
    await stepCard(page, 'Hello').getByRole('button', { name: 'Next' }).click()
    await stepCard(page, 'Searching').waitFor()
    expect(complaints).toEqual([])
  })
})

const surface = `document.querySelector('[data-tutti-tours]')?.shadowRoot`
const focusedName = `
  (() => {
    const element = ${surface}?.activeElement ?? document.activeElement
    return element.getAttribute('aria-label') ?? element.textContent.trim()
  })()`
const spoken = `${surface}.querySelector('[aria-live]').textContent`
const describedBy = `
  ${surface}.getElementById(${surface}.querySelector('[role=dialog]').getAttribute('aria-describedby')).textContent`
