import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { openTours, patiently, stepCard, type ToursUnderTest, toursPath } from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

const plain = (path: string) => ({
  title: path,
  body: `<h1>${path}</h1><button id="one">One</button><button id="two">Two</button>`,
})

const center = (label: string, more: object = {}) => ({
  label,
  body: '<p>Text</p>',
  location: 'center',
  ...more,
})
const at = (label: string, selector: string, more: object = {}) => ({
  label,
  body: '<p>Text</p>',
  selector,
  location: 'bottom',
  ...more,
})

/**
 * A script of the site that runs when the player seeks the element of its first step. The page runs it by itself: after five seconds
 * without its element the tour counts as not shown.
 */
const onceSought = (script: string) => `
  const nextFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const isShown = () =>
    document.querySelector('[data-tutti-tours]')?.shadowRoot.querySelector('[role=dialog]') instanceof Element
  addEventListener('load', async () => {
    while ((await window.tuttiTours.list()).length === 0) await nextFrames()
    ${script}
  })`

const next = (page: Page, label: string) =>
  stepCard(page, label)
    .getByRole('button', { name: /^(?:Next|Done)$/ })
    .click()

describe('the route of a page', () => {
  test('is its path, and a page elsewhere gets no tour', async () => {
    await tours.publish({ id: 'by_path', routes: ['/a/*'], tips: [center('By path')] })
    await using site = await tours.openSite(plain)
    await using elsewhere = await tours.visit(`${site.url}/b/1`)
    await expect.poll(() => elsewhere.page.evaluate('window.tuttiTours.list()')).toEqual([])
    await using visitor = await tours.visit(`${site.url}/a/1`)
    await stepCard(visitor.page, 'By path').waitFor()
  })

  test('is named in the tag, or by a script', async () => {
    await tours.publish({ id: 'by_tag', routes: ['shop.list'], tips: [center('By tag')] })
    await tours.publish({ id: 'by_script', routes: ['shop.item'], tips: [center('By script')] })
    await using site = await tours.openSite((path) => ({ ...plain(path), tag: 'data-route="shop.list"' }))
    await using visitor = await tours.visit(`${site.url}/c`)
    const { page } = visitor
    await stepCard(page, 'By tag').waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate("window.tuttiTours.setRoute('shop.item')")
    await stepCard(page, 'By script').waitFor()
  })

  test('follows client-side navigation, back and forth', async () => {
    await tours.publish({ id: 'spa', routes: ['/spa/two'], tips: [center('Page two')] })
    await using site = await tours.openSite(plain)
    await using visitor = await tours.visit(`${site.url}/spa/one`)
    const { page } = visitor
    await expect.poll(() => page.evaluate('window.tuttiTours.list()')).toEqual([])
    await page.evaluate("history.pushState({}, '', '/spa/two')")
    await stepCard(page, 'Page two').waitFor()
    await page.goBack()
    await stepCard(page, 'Page two').waitFor({ state: 'detached' })
    await page.goForward()
    await stepCard(page, 'Page two').waitFor()
    await page.evaluate("history.replaceState({}, '', '/spa/one')")
    await stepCard(page, 'Page two').waitFor({ state: 'detached' })
  })
})

describe('the element of a step', () => {
  test('is awaited when it appears late', async () => {
    await tours.publish({ id: 'late', routes: ['/late'], tips: [at('Late', '#late')] })
    await using site = await tours.openSite((path) => ({
      ...plain(path),
      script: onceSought(`
        const late = Object.assign(document.createElement('p'), { id: 'late', hidden: true, textContent: 'Here' })
        document.body.append(late)
        await nextFrames()
        window.wasEarly = isShown()
        late.hidden = false`),
    }))
    await using visitor = await tours.visit(`${site.url}/late`)
    const { page, told } = visitor
    await stepCard(page, 'Late').waitFor()
    expect(await page.evaluate('window.wasEarly')).toBe(false)
    await page.keyboard.press('Escape')
    await expect.poll(() => told[0]?.event).toBe('view')
  })

  test('is awaited after keys and buttons: a second press changes nothing', async () => {
    await tours.publish({
      id: 'pressed',
      routes: ['/pressed'],
      tips: [at('One', 'body'), at('Two', 'body'), at('Three', '#three')],
    })
    await using site = await tours.openSite((path) => ({
      ...plain(path),
      script: `window.arrive = () => document.body.append(
        Object.assign(document.createElement('p'), { id: 'three', textContent: 'Here' }),
      )`,
    }))
    await using visitor = await tours.visit(`${site.url}/pressed`)
    const { page } = visitor
    await stepCard(page, 'One').waitFor()
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Two').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await stepCard(page, 'Two').waitFor()
    await page.evaluate('window.arrive()')
    await stepCard(page, 'Three').waitFor()
    await page.keyboard.press('ArrowLeft')
    await stepCard(page, 'Two').waitFor()
  })

  test('is found by a candidate when the selector matches nothing, and by its text among several', async () => {
    await tours.publish({
      id: 'candidates',
      routes: ['/candidates'],
      tips: [
        at('By candidate', '#gone', { candidates: ['#two'] }),
        at('By text', 'button', { target_text: 'Two' }),
        at('By long text', 'p', { target_text: `two ${'long '.repeat(38)}` }),
      ],
    })
    const long = ['one', 'two'].map((id) => `<p id="p-${id}">${id} ${'long '.repeat(60)}</p>`).join('')
    await using site = await tours.openSite((path) => ({ title: path, body: plain(path).body + long }))
    await using visitor = await tours.visit(`${site.url}/candidates`)
    const { page } = visitor
    await stepCard(page, 'By candidate').waitFor()
    await expectSpotOn(page, '#two')
    await next(page, 'By candidate')
    await stepCard(page, 'By text').waitFor()
    await expectSpotOn(page, '#two')
    await next(page, 'By text')
    await stepCard(page, 'By long text').waitFor()
    await expectSpotOn(page, '#p-two')
  })

  test('is awaited while its container is closed', async () => {
    await tours.publish({ id: 'closed', routes: ['/closed'], tips: [at('Inside', '#two')] })
    await using site = await tours.openSite((path) => ({
      title: path,
      body: '<details><summary>More</summary><button id="two">Two</button></details>',
      script: onceSought(`
        await nextFrames()
        window.wasEarly = isShown()
        document.querySelector('summary').click()`),
    }))
    await using visitor = await tours.visit(`${site.url}/closed`)
    const { page } = visitor
    await stepCard(page, 'Inside').waitFor()
    expect(await page.evaluate('window.wasEarly')).toBe(false)
    await expectSpotOn(page, '#two')
  })

  test('is highlighted on a page with CSS zoom', async () => {
    await tours.publish({ id: 'zoomed', routes: ['/zoomed'], tips: [at('Zoomed', '#two')] })
    await using site = await tours.openSite((path) => ({
      ...plain(path),
      styles: 'html { zoom: 1.5 } body { zoom: 0.8 } #two { margin: 40px }',
    }))
    await using visitor = await tours.visit(`${site.url}/zoomed`)
    await stepCard(visitor.page, 'Zoomed').waitFor()
    await expectSpotOn(visitor.page, '#two')
  })

  test('is reported and can be skipped when it never appears; a tour that starts without any counts as not shown', async () => {
    await tours.publish({
      id: 'skips',
      routes: ['/skips'],
      tips: [at('First', '#one'), at('Never', '#never'), at('Third', '#two')],
    })
    await tours.publish({ id: 'nothing', routes: ['/nothing'], tips: [at('Never', '#never')] })
    await tours.publish({ id: 'its_turn', routes: ['/nothing'], tips: [center('Its turn')] })
    await using site = await tours.openSite(plain)
    await using visitor = await tours.visit(`${site.url}/skips`)
    await using other = await tours.visit(`${site.url}/nothing`)
    const { page, told } = visitor
    const warnings: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    await next(page, 'First')
    const never = stepCard(page, 'Never')
    await never.getByText('This step belongs to a part of the page that is not here now.').waitFor()
    await expect
      .poll(() => warnings)
      .toEqual(['Tour "skips": the element of the step "never" did not appear: #never'])
    await never.getByRole('button', { name: 'Skip' }).click()
    await stepCard(page, 'Third').getByRole('button', { name: 'Back' }).click()
    // The second time there is no wait, and an element that comes is used.
    await never.getByRole('button', { name: 'Skip' }).waitFor()
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('p'), { id: 'never', textContent: 'Late' }))",
    )
    await never.getByRole('button', { name: 'Next' }).click()
    await next(page, 'Third')
    await expect.poll(() => told.at(-1)?.event).toBe('complete')
    expect(told.filter(({ step_id }) => step_id === 'never').map(({ event }) => event)).toEqual([
      'step_missing',
      'step_view',
      'step_complete',
    ])
    await expect
      .poll(async () => {
        const path = `${toursPath}/skips/analytics`
        const { steps } = await administer<{ steps: { id: string; missing: number; views: number }[] }>(
          tours.platform,
          'GET',
          path,
        )
        return steps.map(({ missing, views }) => [missing, views])
      }, patiently)
      .toEqual([
        [0, 1],
        [1, 1],
        [0, 1],
      ])
    await next(other.page, 'Its turn')
    await expect.poll(() => other.told.at(-1)?.event).toBe('complete')
    expect(await other.page.evaluate("Object.keys(JSON.parse(localStorage.getItem('tutti-tours')))")).toEqual(
      ['its_turn'],
    )
  })

  test('is followed when it moves, scrolls inside a box, or is replaced', async () => {
    await tours.publish({ id: 'moves', routes: ['/moves'], tips: [at('Moving', '#deep')] })
    await using site = await tours.openSite(() => ({
      title: 'Moves',
      body: '<div id="box"><div id="space"></div><p id="deep">Deep</p><div id="space2"></div></div>',
      styles:
        '#box { height: 300px; overflow: auto } #space, #space2 { height: 1000px } #deep { width: 100px }',
      script: `
        window.replace = () => {
          const old = document.querySelector('#deep')
          const anew = document.createElement('p')
          anew.id = 'deep'
          anew.textContent = 'Another'
          anew.style.marginLeft = '50px'
          old.replaceWith(anew)
        }`,
    }))
    await using visitor = await tours.visit(`${site.url}/moves`, { reducedMotion: 'reduce' })
    const { page } = visitor
    await stepCard(page, 'Moving').waitFor()
    await expectSpotOn(page, '#deep')
    await page.evaluate("document.querySelector('#box').scrollTop += 40")
    await expectSpotOn(page, '#deep')
    await page.evaluate('window.replace()')
    await expectSpotOn(page, '#deep')
  })
})

describe('a tour over several pages', () => {
  test('names the page of the next step, opens it and continues there as the same play', async () => {
    await tours.publish({
      id: 'pages',
      routes: ['/first', '/second'],
      tips: [
        center('On the first', { route: '/first' }),
        at('On the second', '#one', { route: '/second' }),
        at('Still there', '#two', { route: '/second' }),
      ],
    })
    await using site = await tours.openSite(plain)
    await using visitor = await tours.visit(`${site.url}/first`)
    const { page, told, complaints } = visitor
    await stepCard(page, 'On the first').getByText('Next opens /second').waitFor()
    await next(page, 'On the first')
    await page.waitForURL('**/second')
    await next(page, 'On the second')
    await stepCard(page, 'Still there').getByRole('button', { name: 'Back' }).click()
    await stepCard(page, 'On the second').getByRole('button', { name: 'Back' }).click()
    await page.waitForURL('**/first')
    await next(page, 'On the first')
    await page.waitForURL('**/second')
    await next(page, 'On the second')
    await next(page, 'Still there')
    await expect.poll(() => told.at(-1)?.event).toBe('complete')
    expect(new Set(told.map(({ play }) => play)).size).toBe(1)
    expect(told.filter(({ event }) => event === 'view')).toHaveLength(1)
    expect(told.filter(({ event }) => event === 'step_view')).toHaveLength(3)
    expect(complaints).toEqual([])
  })

  test('waits for a route that only the site can open', async () => {
    await tours.publish({
      id: 'named',
      label: 'To the item',
      routes: ['/list', 'shop.detail'],
      tips: [center('The list', { route: '/list' }), center('The item', { route: 'shop.detail' })],
    })
    await using site = await tours.openSite((path) => ({
      ...plain(path),
      tag: path === '/item' ? 'data-route="shop.detail"' : '',
    }))
    await using visitor = await tours.visit(`${site.url}/list`)
    const { page } = visitor
    await next(page, 'The list')
    const notice = page.getByRole('region', { name: 'To the item' })
    await notice.getByText('The tour continues on the page: shop.detail').waitFor()
    await page.locator('#one').click()
    await page.goto(`${site.url}/elsewhere`)
    await expect.poll(() => page.evaluate('window.tuttiTours.list()')).toEqual([])
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goto(`${site.url}/item`)
    await stepCard(page, 'The item').waitFor()
  })

  test('lets a single-page application open the next page itself', async () => {
    await tours.publish({
      id: 'own_way',
      routes: ['/own/a', '/own/b'],
      tips: [center('A', { route: '/own/a' }), center('B', { route: '/own/b' })],
    })
    await using site = await tours.openSite((path) => ({
      ...plain(path),
      script: `
        window.loadedAt = '${path}'
        window.addEventListener('tutti-tours:navigate', (event) => {
          event.preventDefault()
          history.pushState({}, '', event.detail.path)
        })`,
    }))
    await using visitor = await tours.visit(`${site.url}/own/a`)
    const { page } = visitor
    await next(page, 'A')
    await stepCard(page, 'B').waitFor()
    expect(await page.evaluate('window.loadedAt')).toBe('/own/a')
    await next(page, 'B')
  })

  test('does not navigate a visitor to its first page by itself, and does on request', async () => {
    await tours.publish({
      id: 'begins_elsewhere',
      routes: ['/begin', '/middle'],
      tips: [center('Begin', { route: '/begin' }), center('Middle', { route: '/middle' })],
    })
    await using site = await tours.openSite(plain)
    await using visitor = await tours.visit(`${site.url}/middle`)
    const { page } = visitor
    await expect.poll(() => page.evaluate('window.tuttiTours.list()')).toHaveLength(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.evaluate("void window.tuttiTours.start('begins_elsewhere')")
    await page.waitForURL('**/begin')
    await stepCard(page, 'Begin').waitFor()
  })
})

/** The spotlight is on this element. */
async function expectSpotOn(page: Page, selector: string): Promise<void> {
  const distance = `(() => {
    const spot = document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.spot').getBoundingClientRect()
    const element = document.querySelector('${selector}').getBoundingClientRect()
    return [spot.x + 4 - element.x, spot.y + 4 - element.y, spot.width - 8 - element.width].map(Math.round)
  })()`
  await expect.poll(() => page.evaluate(distance)).toEqual([0, 0, 0])
}
