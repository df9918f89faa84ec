import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readFocusedText, switchColours, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const flows = '/ai-workflows/api/flows'
const call = <Answer>(method: string, path: string, body?: object) =>
  administer<Answer>(tutti.platform, method, path, body)

interface SavedFlow {
  readonly label: string
  readonly revision: number
  readonly note: string | null
  readonly flow_definition: { readonly steps: readonly { readonly id: string }[] }
}

const readFlow = (id: string) => call<SavedFlow>('GET', `${flows}/${id}`)

async function saveElsewhere(id: string, description: string): Promise<void> {
  const { flow_definition } = await readFlow(id)
  await call('PUT', `${flows}/${id}`, {
    flow_definition: { ...flow_definition, description },
    note: 'Said more.',
  })
}

/** Differs for each attempt of a test: a deleted flow that is created again continues its version numbers. */
const unused = () => randomUUID().slice(0, 8)

async function makeFlow(name: string): Promise<string> {
  const id = `${name}-${unused()}`
  const steps = [{ id: 'a', type: 'ai_prompt', prompt: 'Say {{content}}.' }]
  await call('POST', flows, { flow_definition: { id, label: `Flow ${name}`, steps } })
  return id
}

const noticeOn = (page: Page) => page.getByRole('region', { name: 'Draft' })
const savingOn = (page: Page) => page.getByRole('dialog', { name: 'Save new version' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).first()
const add = (page: Page, kind: string) =>
  page.getByRole('region', { name: 'Step palette' }).getByRole('button', { name: kind }).click()
const stateOf = (page: Page, word: string) => page.getByRole('main').getByText(word, { exact: true })

describe('a flow in the editor', () => {
  test('is saved as a new flow, and saved again', async () => {
    await using visit = await tutti.visit({ path: '/workflows/new?view=list' })
    const { page, complaints } = visit
    await waitForPage(page, 'New workflow')

    // A new flow: validation errors are shown, the id follows the label, and a taken id is shown at its field.
    const taken = await makeFlow('digest')
    const wanted = unused()
    const saved = `morning-digest-${wanted}`
    const first = page.getByRole('dialog', { name: 'Save workflow' })
    await save(page).click()
    await first.getByLabel('Label').fill(taken.replace('digest-', 'Digest '))
    await first.getByRole('button', { name: 'Save', exact: true }).click()
    await first.getByText('The workflow was not saved. Your changes are still here.').waitFor()
    await first.getByRole('list', { name: 'Errors' }).getByRole('button', { name: 'steps' }).waitFor()
    await expect.poll(() => readFocusedText(page)).toBe('steps')
    await page.keyboard.press('Enter')
    await first.waitFor({ state: 'detached' })
    await add(page, 'Prompt')
    await save(page).click()
    expect(await first.getByLabel('Id').inputValue()).toBe(taken)
    await first.getByRole('button', { name: 'Save', exact: true }).click()
    await first.getByText('used by another workflow').waitFor()
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await switchColours(page, 'light')
    await first.getByLabel('Label').fill(`Morning digest ${wanted}`)
    expect(await first.getByLabel('Id').inputValue()).toBe(saved)
    await first.getByLabel('Change note').fill('The first of it.')
    const create = first.getByRole('button', { name: 'Save', exact: true })
    await untilShown(page, 'Saved as version 1', () => create.click())
    await page.waitForURL(`**/workflows/${saved}/edit?view=list`)
    await stateOf(page, 'Version 1').waitFor()
    expect(await readFlow(saved)).toMatchObject({
      label: `Morning digest ${wanted}`,
      revision: 1,
      note: 'The first of it.',
    })

    // Changes from before the save can still be undone, and the page did not reload.
    await page.getByRole('button', { name: 'Undo the label of the workflow' }).waitFor()

    // The back button of the browser opens the created flow.
    await page.getByRole('link', { name: 'Back to workflow' }).click()
    await waitForPage(page, `Morning digest ${wanted}`)
    await page.goBack()
    await stateOf(page, 'Version 1').waitFor()
    await page.waitForURL(`**/workflows/${saved}/edit`)

    // Again, by keyboard.
    await add(page, 'Transform')
    await stateOf(page, 'Not saved').waitFor()
    await save(page).focus()
    await page.keyboard.press('Enter')
    const again = savingOn(page)
    await again.getByLabel('Change note').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Adds up.')
    await page.keyboard.press('Enter')
    await stateOf(page, 'Version 2').waitFor()
    expect(await readFlow(saved)).toMatchObject({ revision: 2, note: 'Adds up.' })
    await expect.poll(() => save(page).getAttribute('title')).toBe('No changes to save.')
    // The browser logs refused requests, which are expected here.
    expect(complaints.filter((it) => !/404|409|422/.test(it))).toEqual([])
  })

  test('restores an unsaved draft, and never overwrites the version of another user', async () => {
    const id = await makeFlow('digest-draft')
    await using visit = await tutti.visit({ path: `/workflows/${id}/edit?view=list` })
    const { page, complaints } = visit
    await stateOf(page, 'Version 1').waitFor()
    const notice = noticeOn(page)
    const again = savingOn(page)

    // The unsaved draft is restored after the window was closed, also when another user saved since.
    await add(page, 'HTTP request')
    await page.reload()
    await notice.getByText('are restored').waitFor()
    expect(page.url()).toContain(`/workflows/${id}/edit`)
    await saveElsewhere(id, 'Written by another user.')
    await page.reload()
    await notice.getByText('They are based on version 1; version 2 was saved since.').waitFor()
    await notice.getByRole('button', { name: 'Discard' }).click()
    await stateOf(page, 'Version 2').waitFor()
    await page.getByRole('button', { name: 'Undo discarding the draft' }).click()
    await notice.waitFor()

    // The draft is still one of version 1: saving it shows the change of the other user.
    await save(page).click()
    await again.getByLabel('Change note').fill('Asks a model.')
    await again.getByRole('button', { name: 'Save', exact: true }).click()
    const conflict = page.getByRole('dialog', { name: 'Version 2 was saved by another user' })
    await conflict.getByText('Written by another user.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await conflict.getByRole('button', { name: 'Load their version' }).click()
    await stateOf(page, 'Version 2').waitFor()
    await page.getByRole('button', { name: 'Undo loading version 2' }).click()
    await stateOf(page, 'Not saved').waitFor()
    await save(page).click()
    await again.getByLabel('Change note').fill('Asks a model.')
    await again.getByRole('button', { name: 'Save', exact: true }).click()
    await conflict.getByRole('button', { name: 'Save my version' }).click()
    await stateOf(page, 'Version 3').waitFor()
    const saved = await readFlow(id)
    expect(saved).toMatchObject({ revision: 3, note: 'Asks a model.' })
    expect(saved.flow_definition.steps.map((step) => step.id)).toEqual(['a', 'call'])
    // The browser logs refused requests, which are expected here.
    expect(complaints.filter((it) => !/404|409|422/.test(it))).toEqual([])
  })

  test('asks before the page is left, and is created again when another user deleted it', async () => {
    const id = await makeFlow('digest-left')
    await using visit = await tutti.visit({ path: `/workflows/${id}/edit?view=list` })
    const { page, complaints } = visit
    await stateOf(page, 'Version 1').waitFor()
    const notice = noticeOn(page)

    // Leaving offers: stay, leave and keep the draft, leave and discard it.
    await add(page, 'Condition')
    await page.getByRole('link', { name: 'Back to workflow' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Back to workflow' }).click()
    await question.getByRole('button', { name: 'Leave and keep draft' }).click()
    await waitForPage(page, 'Flow digest-left')
    await page.goBack()
    await notice.getByText('are restored').waitFor()
    await page.getByRole('link', { name: 'Back to workflow' }).click()
    await question.getByRole('button', { name: 'Leave and discard' }).click()
    await waitForPage(page, 'Flow digest-left')
    await page.goBack()
    await stateOf(page, 'Version 1').waitFor()

    // A flow that another user deleted can be created again, also after the window was closed.
    await call('DELETE', `${flows}/${id}`)
    await add(page, 'Condition')
    await page.reload()
    await notice.getByText('are restored').waitFor()
    await save(page).click()
    await savingOn(page).getByRole('button', { name: 'Save', exact: true }).click()
    const anew = page.getByRole('dialog', { name: 'Recreate workflow' })
    await anew.getByText('This workflow was deleted meanwhile.').waitFor()
    await anew.getByRole('button', { name: 'Save', exact: true }).click()
    await stateOf(page, 'Version 2').waitFor()
    await page.getByRole('link', { name: 'Back to workflow' }).click()
    await waitForPage(page, 'Flow digest-left')
    // The browser logs refused requests, which are expected here.
    expect(complaints.filter((it) => !/404|409|422/.test(it))).toEqual([])
  })

  test('is read-only for a user with only the run permission', async () => {
    const person = await addPerson(tutti.platform, 'clara', ['viewer'])
    await using visit = await visitAs(tutti, person, '/workflows/new')
    await visit.page.getByText('requires the permission “manage workflows”').waitFor()
    await visit.page.getByRole('link', { name: 'See all workflows' }).waitFor()
  })
})
