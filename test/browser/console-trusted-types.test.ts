import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { makeTour, openBuilder, openShop, readTour } from './tours-builder-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

/** Attempts to make elements or scripts of text. */
const attempts = [
  `document.body.innerHTML = '<b id=made></b>'`,
  `document.body.insertAdjacentHTML('beforeend', '<b id=made></b>')`,
  `new DOMParser().parseFromString('<b></b>', 'text/html')`,
  `document.createElement('script').src = 'https://elsewhere.example/x.js'`,
  `document.createElement('script').src = '/tours/picker.js'`,
  `document.createElement('script').text = 'window.made = true'`,
  `document.createElement('iframe').srcdoc = '<b></b>'`,
  `window.trustedTypes.createPolicy('other', { createHTML: (text) => text })`,
]

describe('the console under trusted types', () => {
  test('refuses text as elements and scripts, and accepts text without elements', async () => {
    await using visit = await tutti.visit({ path: '/' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    for (const attempt of attempts) {
      const outcome = await page.evaluate(`(() => {
        try {
          ${attempt}
          return 'done'
        } catch (error) {
          return error.name
        }
      })()`)
      expect(outcome, attempt).toBe('TypeError')
    }
    expect(await page.locator('#made').count()).toBe(0)
    const decoded = `(() => {
      const place = document.createElement('i')
      place.innerHTML = '&eacute;'
      return place.textContent
    })()`
    expect(await page.evaluate(decoded)).toBe('é')
  })

  test('builds a tour: picks an element of a page that enforces them too, and shows the step there', async () => {
    await using shop = await openShop(tutti)
    await makeTour(tutti, 'trusted')
    await using visit = await tutti.visit()
    const { page, complaints } = visit
    const builder = await openBuilder(page, 'trusted', `${shop.url}/`)
    await builder.pick(builder.frame.getByRole('button', { name: 'Search' }))
    await builder.untilSaved()
    expect((await readTour(tutti, 'trusted')).tips).toMatchObject([{ selector: '#search' }])
    await builder.card('Search').waitFor()
    expect(complaints).toEqual([])
  })
})
