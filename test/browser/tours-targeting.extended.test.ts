import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { openTours, stepCard, type ToursUnderTest, toursPath, untilPlayerLoaded } from './tours-under-test.ts'

let tours: ToursUnderTest
beforeAll(async () => {
  tours = await openTours()
})
afterAll(() => tours[Symbol.asyncDispose]())

const tips = [{ id: 'hello', label: 'Hello', body: '<p>Text</p>', location: 'center' }]
const page = (tag = '') => ({ title: 'Page', body: '<h1>Page</h1>', tag })

async function publish(id: string, targeting: object): Promise<void> {
  await tours.publish({ id, label: id, routes: [`/${id}`], tips })
  await administer(tours.platform, 'PUT', `${toursPath}/${id}`, { targeting })
}

const editors = { conditions: [{ attribute: 'role', operator: 'is', values: ['editor'] }] }
const listed = 'window.tuttiTours.list().then((tours) => tours.map(({ state }) => state).join())'

test('a tour is played for the attributes of the tag, or those that the page gives later', async () => {
  await publish('roles', editors)
  await using site = await tours.openSite(() => page('data-attribute-role="author, Editor"'))
  await using editor = await tours.visit(`${site.url}/roles`)
  await stepCard(editor.page, 'Hello').waitFor()
  expect(editor.complaints).toEqual([])

  await using plain = await tours.openSite(() => page())
  await using visitor = await tours.visit(`${plain.url}/roles`)
  await expect.poll(() => visitor.page.evaluate(listed)).toBe('new')
  await visitor.page.evaluate("window.tuttiTours.identify({ attributes: { role: 'viewer' } })")
  await expect.poll(() => visitor.page.evaluate(listed)).toBe('new')
  expect(await stepCard(visitor.page, 'Hello').count()).toBe(0)
  await visitor.page.evaluate("window.tuttiTours.identify({ attributes: { role: ['editor'] } })")
  await stepCard(visitor.page, 'Hello').waitFor()
})

test('a user that the page names gets a tour once on all devices; the next user gets it as well', async () => {
  await publish('devices', {})
  await using site = await tours.openSite((path) =>
    page(path === '/devices' ? 'data-user="ann@example.com"' : ''),
  )
  await using laptop = await tours.visit(`${site.url}/devices`)
  const sent = laptop.page.waitForResponse((response) => response.url().endsWith('/tours/visits/ended'))
  await stepCard(laptop.page, 'Hello').getByRole('button', { name: 'Done' }).click()
  expect((await sent).status()).toBe(202)
  expect(await laptop.page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('ann')

  await using phone = await tours.visit(`${site.url}/devices`, { viewport: { width: 360, height: 640 } })
  await untilPlayerLoaded(phone.page)
  // The tour of the next user shows that the player has decided about this one.
  expect(await stepCard(phone.page, 'Hello').count()).toBe(0)
  await phone.page.evaluate("window.tuttiTours.identify({ user: 'ben@example.com' })")
  await stepCard(phone.page, 'Hello').waitFor()
  expect(phone.complaints).toEqual([])
})

test('a page that names its visitor later makes the player wait for it', async () => {
  await publish('later', {})
  await administer(tours.platform, 'POST', '/tours/visits/ended', {
    user: 'cleo',
    tour: 'later',
    state: 'dismissed',
  })
  await using site = await tours.openSite(() => page('data-wait="identify"'))
  await using visitor = await tours.visit(`${site.url}/later`)
  await expect.poll(() => visitor.page.evaluate(listed)).toBe('new')
  expect(await stepCard(visitor.page, 'Hello').count()).toBe(0)
  await visitor.page.evaluate("window.tuttiTours.identify({ user: 'cleo' })")
  await expect.poll(() => visitor.page.evaluate(listed)).toBe('dismissed')
  expect(await stepCard(visitor.page, 'Hello').count()).toBe(0)
})

test('a tour for each visit is played again, and one that is over is not', async () => {
  await publish('again', { frequency: 'always' })
  await publish('over', { ends_at: '2020-01-01T00:00:00Z' })
  await using site = await tours.openSite(() => page())
  await using visitor = await tours.visit(`${site.url}/again`)
  await stepCard(visitor.page, 'Hello').getByRole('button', { name: 'Done' }).click()
  await stepCard(visitor.page, 'Hello').waitFor({ state: 'detached' })
  await visitor.page.reload()
  await stepCard(visitor.page, 'Hello').waitFor()
  await visitor.page.goto(`${site.url}/over`)
  await expect.poll(() => visitor.page.evaluate(listed)).toBe('')
})
