import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostile, openStatusPage, type StatusPageUnderTest } from './status-page-under-test.ts'

let status: StatusPageUnderTest
beforeAll(async () => {
  status = await openStatusPage()
})
afterAll(() => status?.[Symbol.asyncDispose]())

describe('the status page', () => {
  test('shows the status of every service, without a script and without console errors', async () => {
    await using visiting = await status.visit('/status', { javaScriptEnabled: false })
    const { page, complaints } = visiting
    expect(await page.title()).toBe('Status · Tutti')
    await page.getByText('Some services are not available').waitFor()
    const services = page.getByRole('listitem').filter({ has: page.getByRole('img') })
    expect(await services.getByRole('heading').allTextContents()).toEqual([
      'Database',
      'Background work',
      'Own models',
      'OpenAI models',
    ])
    const openai = services.filter({ hasText: 'OpenAI models' })
    await openai.getByText('Not available', { exact: true }).waitFor()
    await services.getByRole('img', { name: /^Database, last 90 days: \d\d\.\d\d % available$/ }).waitFor()
    expect(await services.first().locator('rect').count()).toBe(90)

    await services.first().getByText('When Database had problems').click()
    const bad = await services.first().locator('details li').allTextContents()
    // A day with slow responses was available; which day is the first depends on the hour.
    expect(bad[0]).toMatch(/^\d+ \w+ 2\d{3}: (?:mostly unavailable|partly impaired), \d+(?:\.\d\d)? %$/)

    await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '24 hours' }).click()
    await page.getByRole('img', { name: /^Database, last 24 hours: / }).waitFor()
    // The browser shows a page before it has read all of it.
    await expect.poll(() => services.first().locator('rect').count()).toBe(96)
    await expect.poll(() => page.locator('[aria-current]').textContent()).toBe('24 hours')
    expect(complaints).toEqual([])
  })

  test('has a page for every incident, and escapes the texts of users', async () => {
    await using visiting = await status.visit('/status')
    const { page, complaints } = visiting
    await page.getByRole('link', { name: 'OpenAI models are not available' }).click()
    await page.getByRole('heading', { level: 1, name: 'OpenAI models are not available' }).waitFor()
    await page.getByText('The provider has found the cause.').waitFor()
    expect(await page.title()).toBe('OpenAI models are not available · Status · Tutti')
    await page.getByRole('link', { name: 'Status', exact: true }).click()
    await page.getByRole('link', { name: hostile }).click()
    await expect.poll(() => page.title()).toBe(`${hostile} · Status · Tutti`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(hostile)
    expect(complaints).toEqual([])
  })

  test('keeps its styles after a 304 response', async () => {
    await using visiting = await status.visit('/status')
    const { page, complaints } = visiting
    const answer = await page.reload()
    // The page cannot see the 304; the test checks that the browser revalidated.
    expect(await answer?.request().headerValue('if-none-match')).toMatch(/^"/)
    expect(await borderOf(page)).toBe('4px')
    expect(complaints).toEqual([])
  })
})

describe('the feed', () => {
  test('is valid Atom XML, with everything a reader needs', async () => {
    await using visiting = await status.visit('/status')
    const { page } = visiting
    const { text } = await status.server.call('/status/feed.atom', { as: '' })
    const feed = await page.evaluate<ReadFeed>(`(${readFeed})(${JSON.stringify(text)})`)
    expect(feed.problem).toBeNull()
    expect(feed.root).toEqual(['http://www.w3.org/2005/Atom', 'feed'])
    expect(feed.counts).toEqual({ id: 1, title: 1, updated: 1, author: 1, 'link[rel=self]': 1 })
    expect(feed.entries).toHaveLength(3)
    for (const { counts, updated, published, href, id } of feed.entries) {
      expect(counts).toEqual({ id: 1, title: 1, updated: 1, content: 1, 'link[rel=alternate]': 1 })
      expect(new Date(updated).toISOString()).toBe(updated)
      expect(Date.parse(published)).toBeLessThanOrEqual(Date.parse(updated))
      expect(href).toBe(`${status.server.url}/status/incidents/${id.replace('urn:uuid:', '')}`)
    }
    const times = feed.entries.map(({ updated }) => updated)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(feed.updated).toBe(times[0])
    const planned = feed.entries.find(({ id }) => id === `urn:uuid:${status.ids.planned}`)
    expect(planned?.title).toBe(`Planned: ${hostile}`)
    expect(planned?.contentText).toContain(hostile)
    expect(planned?.contentTags).toEqual(['BR', 'P', 'STRONG'])
  })
})

interface ReadFeed {
  readonly problem: string | null
  readonly root: readonly [string, string]
  readonly counts: Readonly<Record<string, number>>
  readonly updated: string
  readonly entries: readonly {
    readonly id: string
    readonly title: string
    readonly updated: string
    readonly published: string
    readonly href: string
    readonly contentText: string
    readonly contentTags: readonly string[]
    readonly counts: Readonly<Record<string, number>>
  }[]
}

/** Runs in the page, with a real XML parser. A string, because the tests are type-checked without DOM types. */
const readFeed = `(text) => {
  const parsed = new DOMParser().parseFromString(text, 'application/xml')
  const count = (parent, names) => Object.fromEntries(names.map((name) => [name,
    [...parent.children].filter((child) => child.matches(name)).length]))
  const textOf = (parent, name) => [...parent.children].find((child) => child.matches(name)).textContent
  const feed = parsed.documentElement
  return {
    problem: parsed.querySelector('parsererror')?.textContent ?? null,
    root: [feed.namespaceURI, feed.localName],
    counts: count(feed, ['id', 'title', 'updated', 'author', 'link[rel=self]']),
    updated: textOf(feed, 'updated'),
    entries: [...feed.children].filter((child) => child.matches('entry')).map((entry) => {
      const content = new DOMParser().parseFromString(textOf(entry, 'content'), 'text/html').body
      return {
        id: textOf(entry, 'id'),
        title: textOf(entry, 'title'),
        updated: textOf(entry, 'updated'),
        published: textOf(entry, 'published'),
        href: entry.querySelector('link').getAttribute('href'),
        contentText: content.textContent,
        contentTags: [...new Set([...content.querySelectorAll('*')].map((it) => it.tagName))].sort(),
        counts: count(entry, ['id', 'title', 'updated', 'content', 'link[rel=alternate]']),
      }
    }),
  }
}`

async function borderOf(page: Page): Promise<string> {
  return await page.evaluate<string>(`getComputedStyle(document.querySelector('.overall')).borderLeftWidth`)
}
