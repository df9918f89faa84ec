import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, administer, signInAs, visitAs } from './administer.ts'
import { findViolations } from './find-violations.ts'
import { readSidewaysScroll } from './in-page.ts'
import { openRuns, type RunsUnderTest } from './runs-under-test.ts'

let runs: RunsUnderTest
beforeAll(async () => {
  runs = await openRuns()
})
afterAll(() => runs?.[Symbol.asyncDispose]())

/** A task of the administrator's execution that is assigned to another account. */
async function askPerson(username: string, roles: readonly string[] = []) {
  const { tutti } = runs
  const person = await addPerson(tutti.platform, username, roles)
  const { id: executionId, label } = await runs.start([
    {
      id: 'ask',
      type: 'human',
      message: 'Shall **{{content}}** be published?',
      assignees: { accounts: [username] },
    },
  ])
  let id: string | undefined
  await expect
    .poll(async () => {
      const { tasks } = await administer<{ tasks: readonly { id: string }[] }>(
        tutti.platform,
        'GET',
        `/ai-workflows/api/human-tasks?execution=${executionId}`,
      )
      id = tasks[0]?.id
      return id
    })
    .toBeDefined()
  return { person, executionId, label, path: `/human-tasks?task=${id ?? ''}` }
}

test('an assignee without permissions answers at the link of the mail, and gets no link to the execution', async () => {
  const { person, executionId, label, path } = await askPerson('clara')
  await using visit = await visitAs(runs.tutti, person, path)
  const { page, complaints } = visit
  const drawer = page.getByRole('dialog', { name: label })
  await drawer.getByText('A text.').waitFor()
  await drawer.getByText(executionId.slice(-12)).waitFor()
  expect(await drawer.getByRole('link').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await drawer.getByRole('radio', { name: 'Yes' }).check()
  await drawer.getByRole('button', { name: 'Send answer' }).press('Enter')
  await drawer.getByText('Answered', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('the overview of an assignee links to the task', async () => {
  const { person, label } = await askPerson('robert', ['author'])
  await using visit = await visitAs(runs.tutti, person, '/')
  const { page, complaints } = visit
  await page.getByRole('list', { name: 'Open tasks' }).getByRole('link', { name: label }).click()
  await page.getByRole('dialog', { name: label }).getByRole('button', { name: 'Send answer' }).waitFor()
  expect(complaints).toEqual([])
})

test('a person who has to sign in first comes back to the task', async () => {
  const { person, label, path } = await askPerson('johannes')
  await using visit = await runs.tutti.visit({
    path,
    signedIn: false,
    viewport: { width: 390, height: 844 },
  })
  const { page } = visit
  await signInAs(page, runs.tutti.platform, person)
  await page.getByRole('dialog', { name: label }).getByRole('button', { name: 'Send answer' }).waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
})
