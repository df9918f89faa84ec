import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strictPolicy } from '../support/site.ts'
import { administer } from './administer.ts'
import {
  openTours,
  stepCard,
  type ToursUnderTest,
  untilOnScreen,
  untilPlayerLoaded,
} from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

const center = (label: string) => ({ label, location: 'center' })

describe('a step whose element the visitor uses', () => {
  const body = `<h1>Shop</h1><button id="open">Open</button><button id="other">Other</button>
    <input id="name" aria-label="Name"><a id="link" href="/there">There</a>`
  const script = `
    window.clicks = []
    for (const id of ['open', 'other']) document.getElementById(id).addEventListener('click', () => window.clicks.push(id))`

  test('continues with a click on it; the rest of the page stays covered', async () => {
    await tours.publish({
      id: 'click',
      routes: ['/click'],
      tips: [{ label: 'Open it', selector: '#open', location: 'bottom', advance: 'click' }, center('Opened')],
    })
    await using site = await tours.openSite(() => ({ title: 'Shop', body, script }))
    for (const way of ['mouse', 'keyboard'] as const) {
      await using visitor = await tours.visit(`${site.url}/click`)
      const { page, told } = visitor
      const card = stepCard(page, 'Open it')
      await card.waitFor()
      expect(await card.getAttribute('aria-modal')).toBe('false')
      const covered = await page.locator('#other').boundingBox()
      await page.mouse.click((covered?.x ?? 0) + 5, (covered?.y ?? 0) + 5)
      if (way === 'mouse') await page.locator('#open').click()
      else {
        // Next is focused; the element comes after the controls of the card.
        for (let tab = 0; tab < 3 && !(await page.evaluate("document.activeElement.id === 'open'")); tab += 1)
          await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
      }
      await stepCard(page, 'Opened').waitFor()
      expect(await page.evaluate('window.clicks')).toEqual(['open'])
      await page.keyboard.press('Escape')
      await expect.poll(() => told.map(({ event }) => event)).toContain('step_complete')
    }
  })

  test('continues when something was entered, and keeps its keys', async () => {
    await tours.publish({
      id: 'input',
      routes: ['/input'],
      tips: [
        { label: 'Your name', selector: '#name', location: 'bottom', advance: 'input' },
        center('Thanks'),
      ],
    })
    await using site = await tours.openSite(() => ({ title: 'Shop', body, script }))
    await using visitor = await tours.visit(`${site.url}/input`)
    const { page } = visitor
    await stepCard(page, 'Your name').waitFor()
    await page.locator('#name').click()
    await page.keyboard.type('Ada')
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Your name').waitFor()
    await page.keyboard.press('Enter')
    await stepCard(page, 'Thanks').waitFor()
    expect(await page.locator('#name').inputValue()).toBe('Ada')
  })

  test.each(['a page load', 'a navigation of the application'])('continues after %s', async (kind) => {
    const isLoad = kind === 'a page load'
    const id = isLoad ? 'by_load' : 'by_script'
    await tours.publish({
      id,
      routes: [`/${id}`, '/there'],
      tips: [
        { label: 'Go there', selector: '#link', location: 'bottom', advance: 'navigation' },
        center('You are there'),
      ],
    })
    const own = isLoad
      ? ''
      : "document.getElementById('link').addEventListener('click', (event) => { event.preventDefault(); history.pushState(null, '', '/there') })"
    await using site = await tours.openSite(() => ({ title: 'Shop', body, script: script + '\n' + own }))
    await using visitor = await tours.visit(`${site.url}/${id}`)
    const { page } = visitor
    await stepCard(page, 'Go there').waitFor()
    await page.reload()
    await stepCard(page, 'Go there').waitFor()
    await page.locator('#link').click()
    await stepCard(page, 'You are there').waitFor()
    expect(new URL(page.url()).pathname).toBe('/there')
  })
})

describe('images and videos of a step', () => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  test('are shown from the site and its allowed origins, with controls and never by themselves', async () => {
    const site_id = 'with_media'
    await administer(tours.platform, 'DELETE', `/tours/sites/${site_id}`).catch(() => undefined)
    await administer(tours.platform, 'POST', '/tours/sites', {
      id: site_id,
      label: 'With media',
      player: { media_origins: ['https://cdn.example'] },
    })
    await tours.publish({
      id: 'media',
      site_id,
      routes: ['/media'],
      tips: [
        {
          label: 'Look',
          body: '<p>Text</p><img src="/a.png" alt="Own"><img src="https://cdn.example/b.png" alt="Allowed"><img src="https://evil.example/c.png" alt="Foreign"><video src="/v.mp4" autoplay></video>',
          location: 'center',
        },
      ],
    })
    const policy = strictPolicy(tours.platform.url).replace(
      'img-src data:',
      "img-src 'self' data: https://cdn.example; media-src 'self'",
    )
    await using site = await tours.openSite(
      (path) =>
        path === '/media'
          ? { title: 'Media', body: '<h1>Media</h1>', tag: `data-site="${site_id}"` }
          : undefined,
      { policy },
    )
    await using visitor = await tours.visit('about:blank', { viewport: { width: 360, height: 640 } })
    const { page, complaints } = visitor
    const asked: string[] = []
    await page.route(/\/(?:[abc]\.png|v\.mp4)$/, async (route) => {
      asked.push(route.request().url())
      await route.fulfill({ contentType: 'image/png', body: pixel })
    })
    await page.goto(`${site.url}/media`)
    const card = stepCard(page, 'Look')
    await card.getByRole('img', { name: 'Own' }).waitFor()
    await card.getByRole('img', { name: 'Allowed' }).waitFor()
    expect(await card.locator('img').count()).toBe(2)
    const video = card.locator('video')
    expect(
      await video.evaluate((element) => {
        const { controls, autoplay, paused } = element as unknown as Record<string, boolean>
        return { controls, autoplay, paused }
      }),
    ).toEqual({ controls: true, autoplay: false, paused: true })
    await expect.poll(() => asked.some((url) => url.endsWith('/v.mp4'))).toBe(true)
    expect(asked.some((url) => url.includes('evil'))).toBe(false)
    await untilOnScreen(card)
    expect(complaints).toEqual([])
  })
})

describe('a page that controls tours', () => {
  test('moves through a tour, and is told what happens', async () => {
    await tours.publish({
      id: 'driven',
      launch: 'manual',
      routes: ['/driven'],
      tips: [
        { id: 'a', ...center('First') },
        { id: 'b', label: 'Gone', selector: '#gone', location: 'bottom' },
        { id: 'c', ...center('Third') },
      ],
    })
    // The page listens before the player is loaded, and through the player.
    const script = `
      window.heard = []
      for (const name of ['started', 'stepShown', 'stepMissing', 'completed', 'dismissed'])
        window.addEventListener('tutti-tours:' + name, ({ detail }) => window.heard.push(name + ' ' + detail.step))
      window.addEventListener('tutti-tours:stepShown', () => { throw new Error('of the page') })`
    await using site = await tours.openSite(() => ({ title: 'Driven', body: '<h1>Driven</h1>', script }))
    await using visitor = await tours.visit(`${site.url}/driven`)
    const { page } = visitor
    await untilPlayerLoaded(page)
    expect(await page.evaluate('[tuttiTours.next(), tuttiTours.go(1), tuttiTours.current()]')).toEqual([
      false,
      false,
      null,
    ])
    await page.evaluate(
      "window.positions = []; window.off = tuttiTours.on('stepShown', ({ position, total, tour }) => positions.push([tour, position, total]))",
    )
    expect(await page.evaluate("tuttiTours.start('driven')")).toBe(true)
    await stepCard(page, 'First').waitFor()
    expect(await page.evaluate("[tuttiTours.go('nothing'), tuttiTours.go(9), tuttiTours.go(3)]")).toEqual([
      false,
      false,
      true,
    ])
    await stepCard(page, 'Third').waitFor()
    expect(await page.evaluate('tuttiTours.current()')).toEqual({
      tour: 'driven',
      step: 'c',
      position: 3,
      total: 3,
    })
    await page.evaluate('tuttiTours.back()')
    await stepCard(page, 'Gone').waitFor()
    await page.evaluate("tuttiTours.go('a')")
    await stepCard(page, 'First').waitFor()
    await page.evaluate('off(); tuttiTours.next()')
    await stepCard(page, 'Gone').waitFor()
    await page.evaluate('tuttiTours.next()')
    await stepCard(page, 'Third').waitFor()
    await page.evaluate('tuttiTours.next()')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.evaluate("tuttiTours.start('driven')")
    await stepCard(page, 'First').waitFor()
    await page.evaluate('tuttiTours.end()')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('window.heard')).toEqual([
      'started a',
      'stepShown a',
      'stepShown c',
      'stepMissing b',
      'stepShown a',
      'stepMissing b',
      'stepShown c',
      'completed c',
      'started a',
      'stepShown a',
      'dismissed a',
    ])
    expect(await page.evaluate('window.positions')).toEqual([
      ['driven', 1, 3],
      ['driven', 3, 3],
      ['driven', 1, 3],
    ])
    expect(await page.evaluate('tuttiTours.list()')).toMatchObject([{ id: 'driven', state: 'dismissed' }])
  })
})

describe('a phone with a page wider than its screen', () => {
  test.each([0.5, 1, 2])('has the card and the notice on its screen, enlarged by %d', async (scale) => {
    const id = `wide_${scale * 10}`
    await tours.publish({
      id,
      launch: 'invite',
      routes: [`/${id}`],
      tips: [
        { label: 'At the edge', body: '<p>Text</p>'.repeat(3), selector: '#edge', location: 'right' },
        center('Middle'),
      ],
    })
    await using site = await tours.openSite(() => ({
      title: 'Wide',
      body: '<h1>Wide</h1><div id="wide"><button id="edge">Edge</button></div>',
      styles: '#wide { width: 1100px; height: 1600px } #edge { margin-left: 980px; margin-top: 200px }',
    }))
    await using visitor = await tours.visit(`${site.url}/${id}`, {
      viewport: { width: 360, height: 640 },
      isMobile: true,
      hasTouch: true,
      reducedMotion: 'reduce',
    })
    const { page } = visitor
    const session = await page.context().newCDPSession(page)
    await page.getByRole('button', { name: 'Take the tour' }).waitFor()
    await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: scale })
    const outside = () =>
      page.evaluate<number[]>(`(() => {
        const card = document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.card').getBoundingClientRect()
        const { offsetLeft, offsetTop, width, height } = window.visualViewport
        return [offsetLeft - card.left, offsetTop - card.top, card.right - offsetLeft - width, card.bottom - offsetTop - height]
          .map((distance) => Math.max(0, Math.round(distance)))
      })()`)
    await expect.poll(outside).toEqual([0, 0, 0, 0])
    await page.evaluate(`window.tuttiTours.start('${id}')`)
    await stepCard(page, 'At the edge').waitFor()
    await expect.poll(outside).toEqual([0, 0, 0, 0])
    await page.evaluate('window.tuttiTours.next()')
    await stepCard(page, 'Middle').waitFor()
    await expect.poll(outside).toEqual([0, 0, 0, 0])
  })
})
