import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, addRole, administer, removePerson, removeRole, signInAs, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { readFocusedText, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const row = (page: Page, name: string) =>
  page.locator('main').getByRole('table').getByRole('row').filter({ hasText: name })
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Settings' })

describe('the users page', () => {
  test('adds a user with a generated password, who can sign in with the one shown once', async () => {
    await removePerson(tutti.platform, 'clara')
    await using visit = await tutti.visit({ path: '/users' })
    const { page } = visit
    await waitForPage(page, 'Users')
    await page.getByRole('button', { name: 'Add user' }).click()
    const form = page.getByRole('dialog', { name: 'Add user' })
    await form.getByLabel('Username').fill('clara')
    await form.getByRole('button', { name: 'Generate' }).click()
    await form.getByLabel('Email').fill('clara@schumann.example')
    await form.getByRole('checkbox', { name: 'Viewer' }).check()
    await form.getByRole('button', { name: 'Add user' }).click()
    const shown = page.getByRole('dialog', { name: 'clara can sign in' })
    const password = await shown.locator('[data-secret=Password]').innerText()
    await shown.getByRole('button', { name: 'I have passed it on' }).click()
    expect(await row(page, 'clara').innerText()).toMatch(/clara@schumann\.example[\s\S]*viewer[\s\S]*Active/)
    await using theirs = await visitAs(tutti, { username: 'clara', password }, '/profile')
    await waitForPage(theirs.page, 'Profile')
    expect(await theirs.page.locator('main dl').innerText()).toMatch(/Roles\s+.*viewer/)
  })

  test('reports a taken name and a short password at the field', async () => {
    await using visit = await tutti.visit({ path: '/users?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Add user' })
    await form.getByLabel('Username').fill('admin')
    await form.getByLabel('Password', { exact: true }).fill('short')
    await form.getByRole('button', { name: 'Add user' }).click()
    await form.getByText('Must have at least 8 characters.').waitFor()
    await form.getByLabel('Password', { exact: true }).fill('long enough')
    await form.getByRole('button', { name: 'Add user' }).click()
    await form.getByText(/is already the name of another account\.$/).waitFor()
    expect(await form.getByRole('alert').count()).toBe(0)
  })

  test('finds users by a part of their name, in the URL', async () => {
    await addPerson(tutti.platform, 'johannes')
    await using visit = await tutti.visit({ path: '/users' })
    const { page } = visit
    await waitForPage(page, 'Users')
    await page.keyboard.press('/')
    await page.keyboard.type('ohann')
    await page.waitForURL('**/users?search=ohann')
    await page.getByText('1 user', { exact: true }).waitFor()
    expect(await row(page, 'johannes').count()).toBe(1)
    await page.goto('/users?search=no%20such%20user')
    await page.getByText('No users match “no such user”.').waitFor()
    await page.getByRole('button', { name: 'Show all users' }).click()
    await row(page, 'johannes').waitFor()
  })

  test('sorts users by a column, by keyboard', async () => {
    await addPerson(tutti.platform, 'aaron')
    await addPerson(tutti.platform, 'zelda')
    await using visit = await tutti.visit({ path: '/users' })
    const { page } = visit
    await waitForPage(page, 'Users')
    await row(page, 'aaron').waitFor()
    const header = page.getByRole('columnheader', { name: 'Name' })
    const firstRow = page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)
    const sorted = (direction: string) => expect.poll(() => header.getAttribute('aria-sort')).toBe(direction)
    await header.getByRole('button').press('Enter')
    await sorted('ascending')
    // The server sorts, so the rows follow their header.
    await firstRow.filter({ hasText: 'aaron' }).waitFor()
    await header.getByRole('button').press('Enter')
    await sorted('descending')
    await firstRow.filter({ hasText: 'zelda' }).waitFor()
    await header.getByRole('button').press('Enter')
    await sorted('none')
  })

  test('assigns a role, and its permissions apply at once', async () => {
    const permissions = ['administer users']
    await addRole(tutti.platform, { name: 'registrar', label: 'Registrar', permissions })
    const person = await addPerson(tutti.platform, 'joseph')
    await using theirs = await visitAs(tutti, person, '/users')
    await theirs.page.getByText('requires the permission “administer users”').waitFor()
    await tabs(theirs.page).getByRole('link', { name: 'API keys' }).waitFor()
    for (const closed of ['Schedules', 'Health', 'Users', 'Roles', 'Audit log'])
      expect(await theirs.page.getByRole('link', { name: closed, exact: true }).count()).toBe(0)
    await using visit = await tutti.visit({ path: '/users' })
    const { page } = visit
    await waitForPage(page, 'Users')
    await row(page, 'joseph').getByRole('button').click()
    await page.waitForURL(`**/users?user=${person.id}`)
    const drawer = page.getByRole('dialog', { name: 'joseph' })
    await drawer.getByRole('checkbox', { name: 'Registrar' }).check()
    await drawer.getByLabel('Display name').fill('Joseph Joachim')
    await untilShown(page, 'joseph is saved', () => drawer.getByRole('button', { name: 'Save' }).click())
    expect(await row(page, 'Joseph Joachim').innerText()).toContain('registrar')
    await theirs.page.reload()
    await row(theirs.page, 'joseph').waitFor()
    await tabs(theirs.page).getByRole('link', { name: 'Audit log' }).waitFor()
  })

  test('disables an account, which is signed out at once and cannot sign in until it is enabled', async () => {
    const person = await addPerson(tutti.platform, 'felix')
    await using theirs = await visitAs(tutti, person, '/profile')
    await waitForPage(theirs.page, 'Profile')
    await using visit = await tutti.visit({ path: `/users?user=${person.id}` })
    const { page } = visit
    const drawer = page.getByRole('dialog', { name: 'felix', exact: true })
    await drawer.getByRole('button', { name: 'Disable…' }).click()
    await page.getByRole('button', { name: 'Disable account' }).click()
    await drawer.getByText('Disabled', { exact: true }).waitFor()
    await theirs.page.reload()
    await theirs.page.waitForURL('**/user/login?destination=*')
    await signInAs(theirs.page, tutti.platform, person)
    await theirs.page.getByText('The username or password is wrong.').waitFor()
    await drawer.getByRole('button', { name: 'Enable' }).click()
    await drawer.getByText('Active', { exact: true }).waitFor()
    await signInAs(theirs.page, tutti.platform, person)
    await theirs.page.waitForURL('**/profile')
  })

  test('renames an account, which signs in by its new name with its old password', async () => {
    await removePerson(tutti.platform, 'henri')
    const person = await addPerson(tutti.platform, 'heinrich')
    await using visit = await tutti.visit({ path: `/users?user=${person.id}` })
    const { page } = visit
    await page.getByRole('dialog', { name: 'heinrich' }).getByLabel('Username').fill('henri')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'henri' }).waitFor()
    await using theirs = await visitAs(tutti, { ...person, username: 'henri' }, '/profile')
    await waitForPage(theirs.page, 'Profile')
  })

  test('sets a new password, and the old one is refused', async () => {
    const person = await addPerson(tutti.platform, 'amalie')
    await using visit = await tutti.visit({ path: `/users?user=${person.id}` })
    const { page } = visit
    const drawer = page.getByRole('dialog', { name: 'amalie' })
    await drawer.getByRole('button', { name: 'Generate' }).click()
    await drawer.getByRole('button', { name: 'Set password' }).click()
    const password = await page.locator('[data-secret=Password]').innerText()
    await page.getByRole('button', { name: 'I have passed it on' }).click()
    await using theirs = await visitAs(tutti, { username: 'amalie', password }, '/profile')
    await waitForPage(theirs.page, 'Profile')
  })

  test('deletes an account after a confirmation that names it', async () => {
    const person = await addPerson(tutti.platform, 'ludwig')
    await using visit = await tutti.visit({ path: '/users' })
    const { page } = visit
    await waitForPage(page, 'Users')
    await row(page, 'ludwig').getByRole('button').click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page
      .getByRole('dialog', { name: 'Delete ludwig?' })
      .getByRole('button', { name: 'Delete account' })
      .click()
    await row(page, 'ludwig').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => readFocusedText(page)).toBe('Users')
    await page.goto(`/users?user=${person.id}`)
    await page.getByText('No account has this ID.').waitFor()
  })

  test('offers no action by which users lock themselves out', async () => {
    const { id } = await administer<{ id: string }>(tutti.platform, 'GET', '/api/v1/user/profile')
    await using visit = await tutti.visit({ path: `/users?user=${id}` })
    const { page } = visit
    await page.getByText('This is your own account').waitFor()
    for (const name of ['Disable…', 'Delete…', 'Set password'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const drawer = page.getByRole('dialog', { name: 'admin' })
    await drawer.getByRole('checkbox', { name: 'Administrator' }).uncheck()
    await drawer.getByRole('button', { name: 'Save' }).click()
    expect(await drawer.getByRole('alert').innerText()).toContain('Nothing was changed.')
  })
})

describe('the roles page', () => {
  test('creates a role whose permissions its accounts get, changes it and deletes it', async () => {
    await removeRole(tutti.platform, 'night_shift')
    await using visit = await tutti.visit({ path: '/roles' })
    const { page } = visit
    await waitForPage(page, 'Roles')
    await page.getByRole('button', { name: 'Create role' }).click()
    const form = page.getByRole('dialog', { name: 'Create role' })
    await form.getByLabel('Label').fill('Night shift')
    expect(await form.getByLabel('Name').inputValue()).toBe('night_shift')
    await form.getByRole('checkbox', { name: 'administer llm' }).check()
    await form.getByRole('button', { name: 'Create role' }).click()
    await row(page, 'Night shift').waitFor()
    const person = await addPerson(tutti.platform, 'nadia', ['night_shift'])
    await using theirs = await visitAs(tutti, person, '/events')
    await waitForPage(theirs.page, 'Events')

    await page.goto('/roles?role=night_shift')
    const drawer = page.getByRole('dialog', { name: 'Night shift', exact: true })
    await drawer.getByRole('checkbox', { name: 'administer llm' }).uncheck()
    await drawer.getByRole('checkbox', { name: 'run workflows' }).check()
    const save = drawer.getByRole('button', { name: 'Save' })
    await untilShown(page, '“Night shift” is saved', () => save.click())
    await theirs.page.goto('/events')
    await theirs.page.getByText('requires the permission “administer llm”').waitFor()

    await drawer.getByRole('button', { name: 'Delete role…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the role “Night shift”?' })
    await question.getByText('1 account has this role').waitFor()
    await question.getByRole('button', { name: 'Delete role' }).click()
    await row(page, 'Night shift').waitFor({ state: 'detached' })
    await page.waitForURL('**/roles')
  })

  test('keeps the built-in roles, and marks the one that allows everything', async () => {
    await using visit = await tutti.visit({ path: '/roles?role=administrator' })
    const { page } = visit
    const drawer = page.getByRole('dialog', { name: 'Administrator' })
    await drawer.getByText('This cannot be changed').waitFor()
    expect(await drawer.getByRole('checkbox').count()).toBe(0)
    expect(await drawer.getByRole('button', { name: 'Delete role…' }).count()).toBe(0)
    await page.goto('/roles?role=unknown')
    await page.getByText('No role is named “unknown”.').waitFor()
  })

  test('reports a taken or invalid name at the field', async () => {
    await using visit = await tutti.visit({ path: '/roles?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Create role' })
    await form.getByLabel('Label').fill('Viewer')
    await form.getByRole('button', { name: 'Create role' }).click()
    await form.getByText(/is already the name of another role\.$/).waitFor()
    await form.getByLabel('Name').fill('Two Words')
    await form.getByRole('button', { name: 'Create role' }).click()
    await form.getByText('Must be lower-case letters, digits and _, and begin with a letter.').waitFor()
  })
})
