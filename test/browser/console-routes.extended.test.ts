import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson, administer, removeAll, visitAs } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { closeByEscape, pressAt, readFocusedText, readSidewaysScroll } from './in-page.ts'
import {
  ask,
  cloudModel,
  lastAnswer,
  type ModelsUnderTest,
  openModels,
  ownModel,
  waitForPlayground,
} from './models-under-test.ts'

let models: ModelsUnderTest
beforeAll(async () => {
  models = await openModels()
})
afterAll(() => models[Symbol.asyncDispose]())
beforeEach(() => removeAll(models.tutti.platform, '/api/v1/model-routes', 'data', 'name'))

const path = '/api/v1/model-routes'

async function saveRoute(name: string, definition: object): Promise<void> {
  await administer(models.tutti.platform, 'PUT', `${path}/${name}`, definition)
}

async function readRoute(name: string): Promise<unknown> {
  return await administer(models.tutti.platform, 'GET', `${path}/${name}`)
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Routes' }).getByRole('row').filter({ hasText: name })

/** The models in the fields of the targets, in their order. */
async function readTargets(form: Locator): Promise<readonly string[]> {
  const fields = await form.getByRole('combobox', { name: /^Target \d+$/ }).all()
  return await Promise.all(fields.map((field) => field.inputValue()))
}

async function readFocusedLabel(page: Page): Promise<string> {
  return await page.evaluate<string>('document.activeElement.getAttribute("aria-label")')
}

const bothModels = [{ model: ownModel }, { model: cloudModel }]

describe('the routes page', () => {
  test('creates a weighted route, and reports what is wrong with it at the fields', async () => {
    await using visit = await models.tutti.visit({ path: '/routes' })
    const { page, complaints } = visit
    await waitForPage(page, 'Routes')
    await page.getByText('A route gives callers one name', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Create a route' }).click()
    const form = page.getByRole('dialog', { name: 'New route' })
    await form.getByRole('button', { name: 'Create route' }).click()
    await form.getByText('Must not be empty.').waitFor()
    await form.getByLabel('Name').fill('auto')
    await form.getByRole('combobox', { name: 'Target 1' }).fill(ownModel)
    await form.getByRole('button', { name: 'Create route' }).click()
    await form.getByText('and not be auto, any or none.', { exact: false }).waitFor()

    await form.getByLabel('Name').fill('quick')
    await form.getByLabel('Description (optional)').fill('Short answers')
    expect(await form.getByLabel(/^Weight of/).count()).toBe(0)
    await form.getByRole('radio', { name: 'Weighted' }).check()
    await form.getByLabel('Weight of target 1').fill('1001')
    await form.getByRole('button', { name: 'Add target' }).click()
    await expect.poll(() => readFocusedLabel(page)).toBe('Target 2')
    await page.keyboard.type('gpt')
    await form.getByRole('option', { name: cloudModel }).click()
    await form.getByRole('button', { name: 'Create route' }).click()
    await form.getByText(/^Must be .*1000/).waitFor()
    await form.getByLabel('Weight of target 1').fill('3')
    await form.getByText('75 %').waitFor()
    await form.getByText('25 %').waitFor()
    await form.getByLabel('Retries').selectOption('2')
    await form.getByRole('button', { name: 'Create route' }).click()

    const drawer = page.getByRole('dialog', { name: 'quick' })
    await drawer.getByText('Short answers').first().waitFor()
    await page.waitForURL('**/routes?route=quick')
    expect(await readRoute('quick')).toMatchObject({
      version: 1,
      description: 'Short answers',
      strategy: 'weighted',
      targets: [{ model: ownModel, weight: 3 }, { model: cloudModel }],
      retries: 2,
    })
    await closeByEscape(drawer)
    await expect.poll(() => readFocusedText(page)).toBe('quick')
    const row = rowOf(page, 'quick')
    await row.getByText('Weighted').waitFor()
    await row.getByText(`${ownModel}, ${cloudModel}`).waitFor()
    await row.getByText('admin').waitFor()
    // An invalid name is a path that does not exist (404), an invalid weight a bad request (400).
    expect(complaints.filter((line) => !/status of 40[04]/.test(line))).toEqual([])
  })

  test('refuses the name of another route, which would become its new version', async () => {
    await saveRoute('quick', { strategy: 'fallback', targets: bothModels })
    await using visit = await models.tutti.visit({ path: '/routes?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'New route' })
    await form.getByLabel('Name').fill('quick')
    await form.getByRole('combobox', { name: 'Target 1' }).fill(ownModel)
    await form.getByRole('button', { name: 'Create route' }).click()
    await form.getByText('Is the name of another route; open that route to change it.').waitFor()
    expect(await readRoute('quick')).toMatchObject({ version: 1, targets: bothModels })
  })

  test('changes a route, shows unknown targets, and activates an earlier version', async () => {
    await saveRoute('quick', { strategy: 'fallback', targets: bothModels })
    await using visit = await models.tutti.visit({ path: '/routes' })
    const { page, complaints } = visit
    await waitForPage(page, 'Routes')
    await rowOf(page, 'quick').getByRole('button', { name: 'quick' }).click()
    const drawer = page.getByRole('dialog', { name: 'quick' })
    await drawer.getByRole('combobox', { name: 'Target 2' }).fill('no-such-model')
    await drawer.getByRole('radio', { name: 'Cheapest' }).check()
    await drawer.getByRole('button', { name: 'Save version' }).click()
    await drawer.getByText('1 target ignored for now').waitFor()
    await drawer.getByText('No provider offers the model "no-such-model".').waitFor()
    const versions = drawer.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await versions.filter({ hasText: 'Version 2' }).getByText('Active').waitFor()
    await versions
      .filter({ hasText: 'Version 2' })
      .getByText(`Cheapest: ${ownModel}, no-such-model`)
      .waitFor()

    await drawer.getByRole('button', { name: 'Activate version 1' }).press('Enter')
    await versions.filter({ hasText: 'Version 1' }).getByText('Active').waitFor()
    await expect.poll(() => readFocusedText(page)).toContain('Version 1')
    await drawer.getByText('1 target ignored for now').waitFor({ state: 'detached' })
    await expect.poll(() => readTargets(drawer)).toEqual([ownModel, cloudModel])
    expect(await drawer.getByRole('radio', { name: /^Fallback/ }).isChecked()).toBe(true)
    expect(await readRoute('quick')).toMatchObject({ version: 1, strategy: 'fallback', warnings: [] })
    expect(complaints).toEqual([])
  })

  test('orders and removes targets by keyboard, and keeps the focus', async () => {
    await saveRoute('quick', {
      strategy: 'fallback',
      targets: [...bothModels, { model: 'builtin:text' }],
    })
    await using visit = await models.tutti.visit({ path: '/routes?route=quick' })
    const { page } = visit
    const drawer = page.getByRole('dialog', { name: 'quick' })
    await pressAt(drawer.getByRole('button', { name: `Move ${ownModel} down` }))
    await expect.poll(() => readTargets(drawer)).toEqual([cloudModel, ownModel, 'builtin:text'])
    await drawer.getByText(`${ownModel} is now target 2 of 3.`).waitFor()
    await expect.poll(() => readFocusedLabel(page)).toBe(`Move ${ownModel} down`)
    await page.keyboard.press('Space')
    await expect.poll(() => readTargets(drawer)).toEqual([cloudModel, 'builtin:text', ownModel])
    await expect.poll(() => readFocusedLabel(page)).toBe(`Move ${ownModel} down`)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => readFocusedLabel(page)).toBe(`Move ${ownModel} up`)
    await page.keyboard.press('Enter')
    await expect.poll(() => readTargets(drawer)).toEqual([cloudModel, ownModel, 'builtin:text'])
    await expect.poll(() => readFocusedLabel(page)).toBe(`Move ${ownModel} up`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => readTargets(drawer)).toEqual([cloudModel, 'builtin:text'])
    await expect.poll(() => readFocusedLabel(page)).toBe('Remove builtin:text')
    await drawer.getByRole('button', { name: 'Save version' }).press('Enter')
    await expect
      .poll(() => readRoute('quick'))
      .toMatchObject({ version: 2, targets: [{ model: cloudModel }, { model: 'builtin:text' }] })
  })

  test('explains which models a call would try, and why', async () => {
    await saveRoute('quick', {
      strategy: 'weighted',
      targets: [{ model: ownModel, weight: 0 }, { model: cloudModel, weight: 2 }, { model: 'no-such-model' }],
    })
    await using visit = await models.tutti.visit({ path: '/routes?route=quick' })
    const { page } = visit
    const drawer = page.getByRole('dialog', { name: 'quick' })
    await drawer.getByLabel('Session (optional)').fill('a conversation')
    await drawer.getByRole('button', { name: 'Explain' }).click()
    await drawer.getByText('Weight 100 %, the same for all calls of the session.').waitFor()
    const candidates = drawer.getByRole('list', { name: 'Candidates' }).getByRole('listitem')
    const texts = await candidates.allInnerTexts()
    expect(texts[0]).toMatch(
      new RegExp(`openai/${cloudModel}\\s+Tried first\\s+weight 2, \\$0\\.00075 for 1,000`),
    )
    expect(texts[1]).toMatch(new RegExp(`ollama/${ownModel}\\s+Fallback\\s+weight 0, free`))
    expect(texts[2]).toMatch(/no-such-model\s+Skipped\s+The model "no-such-model" was not found\./)
    await drawer.getByRole('checkbox', { name: 'Embeddings' }).check()
    await drawer.getByRole('button', { name: 'Explain' }).click()
    await candidates.filter({ hasText: ownModel }).getByText('Skipped').waitFor()
  })

  test('deletes a route after a confirmation', async () => {
    await saveRoute('quick', { strategy: 'fallback', targets: bothModels })
    await using visit = await models.tutti.visit({ path: '/routes?route=quick' })
    const { page, complaints } = visit
    const drawer = page.getByRole('dialog', { name: 'quick', exact: true })
    await drawer.getByRole('button', { name: 'Delete route…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the route quick?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await drawer.getByRole('button', { name: 'Delete route…' }).click()
    await question.getByRole('button', { name: 'Delete route' }).click()
    await page.getByText('There are no routes yet.', { exact: false }).waitFor()
    await drawer.waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
  })

  test('has no horizontal scroll on a screen 390 pixels wide', async () => {
    await saveRoute('quick', {
      strategy: 'weighted',
      targets: [
        ...bothModels,
        { model: 'hf.co/a-name/that-is-long-enough-to-need-a-second-line-on-small-screens' },
      ],
    })
    await using visit = await models.tutti.visit({ path: '/routes', viewport: { width: 390, height: 844 } })
    const { page } = visit
    await waitForPage(page, 'Routes')
    expect(await readSidewaysScroll(page)).toBe(0)
    await rowOf(page, 'quick').getByRole('button', { name: 'quick' }).click()
    const drawer = page.getByRole('dialog', { name: 'quick' })
    await drawer.getByLabel('Weight of target 3').waitFor()
    const sideways =
      'Math.max(...[...document.querySelectorAll("[role=dialog], [role=dialog] *")].map((it) => it.getBoundingClientRect().right)) - innerWidth'
    expect(await page.evaluate<number>(sideways)).toBeLessThanOrEqual(0)
  })
})

test('an account without the permission for models reads routes, and does not change them', async () => {
  await saveRoute('quick', { strategy: 'weighted', targets: [{ model: ownModel, weight: 3 }] })
  const person = await addPerson(models.tutti.platform, 'paula')
  await using visit = await visitAs(models.tutti, person, '/routes?create=true')
  const { page } = visit
  await waitForPage(page, 'Routes')
  await rowOf(page, 'quick').getByRole('button', { name: 'quick' }).click()
  const drawer = page.getByRole('dialog', { name: 'quick' })
  await drawer.getByText(`${ownModel}, weight 3`).waitFor()
  await drawer.getByRole('list', { name: 'Versions' }).getByText('Active').waitFor()
  await drawer.getByRole('button', { name: 'Explain' }).click()
  await drawer.getByText('Tried first').waitFor()
  for (const name of ['New route', 'Save version', 'Delete route…']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
  expect(await page.getByRole('dialog', { name: 'New route' }).count()).toBe(0)
})

describe('routes among models', () => {
  test('the playground lists routes and calls them', async () => {
    await saveRoute('quick', { description: 'Short answers', strategy: 'fallback', targets: bothModels })
    await using visit = await models.tutti.visit({ path: '/playground' })
    const { page } = visit
    await waitForPlayground(page)
    await page.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('option', { name: `quick Route, fallback: ${ownModel}, ${cloudModel}` }).click()
    await page.waitForURL('**/playground?model=quick')
    await page.getByRole('link', { name: 'quick, version 1' }).waitFor()
    await ask(page, 'Hello')
    await lastAnswer(page).getByText(ownModel, { exact: false }).first().waitFor()
    await page.getByRole('link', { name: 'quick, version 1' }).click()
    await page.getByRole('dialog', { name: 'quick' }).waitFor()
  })

  test('a model with the name of a route is listed with its provider', async () => {
    await saveRoute(ownModel, { strategy: 'fallback', targets: [{ model: cloudModel }] })
    await using visit = await models.tutti.visit({ path: `/playground?model=ollama/${ownModel}` })
    const { page } = visit
    await waitForPlayground(page)
    await page.getByText('Available, loaded').waitFor()
    await page.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('option', { name: `${ownModel} Route, fallback` }).waitFor()
  })

  test('the flow editor completes the names of routes', async () => {
    await saveRoute('quick', { strategy: 'cheapest', targets: bothModels })
    const { platform } = models.tutti
    await administer(platform, 'POST', '/ai-workflows/api/flows', {
      flow_definition: {
        id: 'with_route',
        label: 'With a route',
        steps: [{ id: 'ask', type: 'ai_prompt', prompt: 'Hello' }],
      },
    })
    await using visit = await models.tutti.visit({ path: '/workflows/with_route/edit?view=list' })
    const { page } = visit
    await page.locator('[data-step="ask"] [data-part=open]').press('Enter')
    await page.getByRole('combobox', { name: 'Model', exact: true }).pressSequentially('qui')
    await page.getByRole('option', { name: `quick Route, cheapest: ${ownModel}, ${cloudModel}` }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Model', exact: true }).inputValue())
      .toBe('quick')
  })
})
