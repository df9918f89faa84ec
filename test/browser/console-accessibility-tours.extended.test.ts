import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkViews, type View } from './accessible-views.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

const tours = '/admin/structure/recipe-onboarding/tours'

let tutti: ConsoleUnderTest
let visit: Awaited<ReturnType<ConsoleUnderTest['visit']>>
beforeAll(async () => {
  tutti = await openConsole()
  visit = await tutti.visit()
  const { platform } = tutti
  await administer(platform, 'POST', '/api/recipe-tour-builder/tour/welcome/event', { event: 'view' })
  await administer(platform, 'POST', tours, {
    id: 'first_steps',
    label: 'First steps',
    template: 'basic',
    routes: [{ route_name: '/a/place/behind/a/prefix/that/is/long/enough/to/need/a/second/line/*' }],
  })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

/** A recipe with warnings. */
const sampleRecipe = {
  format: 'tutti.recipe',
  version: 1,
  files: [{ path: 'config/tour.tour.sample.yml', content: 'id: sample\nlabel: Sample\nuuid: x\n' }],
}

/** Pages about tours, and the frame of every page. */
const views: readonly View[] = [
  { name: 'tours', path: tours, title: 'Tours' },
  {
    name: 'a tour being made of a template',
    path: `${tours}?create=template`,
    title: 'Tours',
    prepare: async (page) => await page.getByRole('radio', { name: 'Site Building' }).check(),
  },
  {
    name: 'a recipe being imported',
    path: `${tours}?create=import`,
    title: 'Tours',
    async prepare(page) {
      await page.getByLabel('Drop a recipe or a tour here').setInputFiles({
        name: 'recipe.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(sampleRecipe)),
      })
      await page.getByRole('button', { name: 'Import as a draft' }).waitFor()
    },
  },
  { name: 'a tour', path: `${tours}/first_steps`, title: 'First steps' },
  { name: 'the versions of a tour', path: `${tours}/first_steps/versions`, title: 'Versions' },
  {
    name: 'the targeting of a tour',
    path: `${tours}/first_steps`,
    title: 'First steps',
    async prepare(page) {
      await page.getByRole('button', { name: 'Edit targeting' }).click()
      await page.getByRole('dialog', { name: 'Edit targeting' }).waitFor()
    },
  },
  {
    name: 'a question before a tour is deleted',
    path: `${tours}/first_steps`,
    title: 'First steps',
    async prepare(page) {
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('dialog', { name: 'Delete the tour “First steps”?' }).waitFor()
    },
  },
  { name: 'templates of tours', path: `${tours}/templates`, title: 'Templates' },
  { name: 'a template of tours', path: `${tours}/templates/basic`, title: 'Basic' },
  {
    name: 'a tour that was exported',
    path: `${tours}/first_steps/export`,
    title: 'Export',
    async prepare(page) {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
    },
  },
  {
    name: 'what visitors did with a tour',
    path: '/admin/structure/recipe-onboarding/tours/welcome/analytics',
    title: 'Analytics',
    prepare: async (page) => await page.getByRole('figure', { name: 'Visitors by day' }).waitFor(),
  },
  {
    name: 'unknown page',
    path: '/nowhere',
    title: 'Page not found',
    isLoaded: true,
    complaints: ['Failed to load resource: the server responded with a status of 404 (Not Found)'],
  },
  {
    name: 'the palette',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Search or jump to…').waitFor()
      await page.keyboard.type('e')
    },
  },
  {
    name: 'the shortcut help',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'the colour scheme menu',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.getByRole('button', { name: /^Colour scheme/ }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
    },
  },
  {
    name: 'the account menu',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    },
  },
  {
    name: 'a notice',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await page.getByRole('button', { name: 'Copy the last request ID' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'the type filter',
    path: '/events',
    title: 'Events',
    async prepare(page) {
      await page.keyboard.press('/')
      await page.getByRole('option').first().waitFor()
    },
  },
]

checkViews(() => visit, views)

describe('on a screen 360 pixels wide', () => {
  test('shows its navigation behind one button, and Escape closes it', async () => {
    await using narrow = await tutti.visit({ path: '/', viewport: { width: 360, height: 740 } })
    const { page } = narrow
    await waitForPage(page, 'Overview')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    expect(await navigation.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Navigation', exact: true }).press('Enter')
    await navigation.waitFor()
    await page.keyboard.press('Escape')
    await navigation.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Navigation', exact: true }).click()
    await navigation.getByRole('link', { name: 'Usage', exact: true }).click()
    await waitForPage(page, 'Usage')
    await navigation.waitFor({ state: 'hidden' })
  })
})
