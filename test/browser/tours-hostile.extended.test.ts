import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSelector } from '../../src/tours/content/check-selector.ts'
import { cleanBody } from '../../src/tours/content/clean-body.ts'
import { listTemplates } from '../../src/tours/templates/templates.ts'
import { hostileBodies, hostileSelectors } from '../fixtures/hostile-tours.ts'
import { openBrowser, type TestBrowser } from '../support/browser.ts'

let browser: TestBrowser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser[Symbol.asyncDispose]())

/** Inserts bodies into a page like the player, and like a careless page, and triggers events on their elements. */
const putIntoPage = (bodies: readonly string[]) => `
  for (const body of ${JSON.stringify(bodies)}) {
    const place = document.createElement('div')
    document.body.append(place)
    place.innerHTML = body
    for (const element of place.querySelectorAll('*')) {
      element.dispatchEvent(new Event('error'))
      if (!element.hasAttribute('href')) element.click()
    }
    const frame = document.createElement('iframe')
    frame.srcdoc = body
    document.body.append(frame)
  }
`

test('no sanitized body runs a script, in any place', async () => {
  await using context = await browser.newContext()
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.setContent('<!doctype html><title>x</title>')
  await page.evaluate(putIntoPage(hostileBodies.map((body) => cleanBody(body))))
  expect(await page.evaluate('window.tuttiWasRun')).toBeUndefined()
  expect(requests.filter((url) => !url.startsWith('about:'))).toEqual([])
})

test('some bodies of the corpus do run unsanitized', async () => {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.setContent('<!doctype html><title>x</title>')
  await page.evaluate(`
    const place = document.createElement('div')
    document.body.append(place)
    for (const body of ${JSON.stringify(hostileBodies)}) place.innerHTML = body
  `)
  await page.waitForFunction('window.tuttiWasRun === 1')
})

/** Selectors that parsers accept and browsers do not. */
const browsersRefuse = [
  ['[tabindex=0]', '[1a]', '[a=]', '[=b]', '[a!=b]', '[a="b" s]', '.w-[10px]', '1', '-', '#-', '-->b'],
  [':is', ':nth-child', ':nth-child(x)', ':nth-child(2 n)', ':nth-child(+ 2)', ':nth-child(2n of)'],
  [':nth-child(2 of a,)', ':nth-child(2 of a|b)', ':nth-child(2 of :first)', ':nth-of-type(2 of a)'],
  [':lang', ':lang()', ':lang(1)', ':hover()', ':first-child(2)', ':has(:has(a))', ':has(+)'],
].flat()

test('every accepted selector is valid in browsers, too', async () => {
  const ours = listTemplates().flatMap(({ tips }) => tips.flatMap((tip) => [tip.selector, ...tip.candidates]))
  const others = [
    'a:any-link',
    '.md\\:w-1\\/2',
    '#\\31 23',
    ':is(h1, h2):has(> a)',
    '*|circle',
    '[title="a > b"]',
    '|a',
    ...browsersRefuse,
    'li:nth-child(-n + 3 of .item, [hidden]):not(:lang(de))',
    '[tabindex="0"], [data-a="b"i], \\31 a',
  ]
  const accepted = [...hostileSelectors, ...ours, ...others].filter(
    (selector) => checkSelector(selector) === undefined,
  )
  expect(accepted.length).toBeGreaterThan(50)
  await using context = await browser.newContext()
  const page = await context.newPage()
  const refused = await page.evaluate(`
    ${JSON.stringify(accepted)}.filter((selector) => {
      try {
        document.querySelector(selector)
        return false
      } catch {
        return true
      }
    })
  `)
  expect(refused).toEqual([])
})
