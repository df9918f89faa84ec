import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson, administer, removeAll, visitAs } from './administer.ts'
import { createKey, row, secretOf, useKey } from './api-keys-page.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, readFocusedText, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())
beforeEach(() => removeAll(tutti.platform, '/api/v1/api-keys', 'data', 'id'))

describe('the API keys page', () => {
  test('limits a key to scopes and to a lifetime', async () => {
    await using visit = await tutti.visit({ path: '/api-keys?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name').fill('Reader')
    await form.getByLabel('Selected scopes').check()
    await form.getByRole('checkbox', { name: 'models.read' }).check()
    await form.getByLabel('Expires').selectOption('In 7 days')
    await form.getByRole('button', { name: 'Create key' }).click()
    const key = await secretOf(page)
    await page.getByRole('button', { name: 'I have saved the key' }).click()
    expect(await row(page, 'Reader').innerText()).toMatch(/models\.read[\s\S]*in [67] d/)
    expect(await useKey(tutti, key)).toBe(200)
    expect(await useKey(tutti, key, '/api/v1/api-keys')).toBe(403)
  })

  test('creates a key with limits, shows them in the list, and changes them', async () => {
    await using visit = await tutti.visit({ path: '/api-keys?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name').fill('Thrifty')
    expect(await form.getByLabel('Allowed models').count()).toBe(0)
    await form.getByText('Limits', { exact: true }).click()
    await form.getByLabel('Allowed models').fill('gemma3:4b\nopenai/gpt-*')
    await form.getByLabel('Daily budget').fill('five')
    await form.getByLabel('Requests per minute').fill('0')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByText('Must be an amount in dollars, such as 5 or 0.50.').waitFor()
    await form.getByText('Must be a whole number of at least 1.').waitFor()
    await form.locator('input:focus[aria-invalid=true]').and(form.getByLabel('Daily budget')).waitFor()
    await form.getByLabel('Daily budget').fill('0.50')
    await form.getByLabel('Requests per minute').fill('60')
    await form.getByRole('button', { name: 'Create key' }).click()
    const key = await secretOf(page)
    await page.getByRole('button', { name: 'I have saved the key' }).click()
    await row(page, 'Thrifty').getByText('2 models · $0.50 per day · 60 requests/min').waitFor()

    await page.getByRole('button', { name: 'Edit Thrifty' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit “Thrifty”' })
    expect(await edit.getByLabel('Allowed models').inputValue()).toBe('gemma3:4b\nopenai/gpt-*')
    await edit.getByLabel('Name').fill('Thriftier')
    await edit.getByLabel('Allowed models').fill('')
    await edit.getByLabel('Daily budget').fill('')
    await edit.getByLabel('Expires').selectOption('Never')
    await untilShown(page, '“Thriftier” is saved', () => edit.getByRole('button', { name: 'Save' }).click())
    await edit.waitFor({ state: 'detached' })
    await row(page, 'Thriftier').getByText('60 requests/min', { exact: true }).waitFor()
    expect(await row(page, 'Thriftier').innerText()).toContain('never')
    await expect.poll(() => readFocusedText(page)).toBe('Edit')
    const profile = await fetch(`${tutti.platform.url}/api/v1/user/profile`, {
      headers: { 'x-api-key': key },
    })
    expect(await profile.json()).toMatchObject({
      api_key: { limits: { models: null, micro_dollars_per_day: null, requests_per_minute: 60 } },
    })
  })

  test('shows when a key was last used', async () => {
    const { key } = await administer<{ key: string }>(tutti.platform, 'POST', '/api/v1/api-keys', {
      name: 'Busy one',
    })
    await using visit = await tutti.visit({ path: '/api-keys' })
    const { page } = visit
    await waitForPage(page, 'API keys')
    expect(await row(page, 'Busy one').innerText()).toContain('never')
    await useKey(tutti, key)
    await expect
      .poll(async () => {
        await page.reload()
        await waitForPage(page, 'API keys')
        return await row(page, 'Busy one').locator('time').count()
      })
      .toBe(1)
    expect(await row(page, 'Busy one').locator('time').getAttribute('title')).toMatch(/\d{4}.*UTC/)
  })

  test('shows a validation error at its field, and focuses it', async () => {
    await using visit = await tutti.visit({ path: '/api-keys?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Expires').selectOption('Custom date')
    await form.getByLabel('Last day').fill('2001-01-01')
    await form.getByLabel('Name').fill('Late')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.locator('[aria-invalid=true][type=date]').waitFor()
    expect(await form.getByRole('alert').count()).toBe(0)
    await form.getByLabel('Last day').fill('2030-01-01')
    await form.getByLabel('Name').fill('')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByText('Must not be empty.').waitFor()
    await form.locator('input:focus[aria-invalid=true]').and(form.getByLabel('Name')).waitFor()
  })

  test('keeps the page in the URL, and leaves a page whose last key is revoked', async () => {
    const person = await addPerson(tutti.platform, 'johannes')
    // Deleted with their keys, so that the list of all keys stays short.
    await using keysOfOne = new AsyncDisposableStack()
    keysOfOne.defer(() => administer(tutti.platform, 'DELETE', `/api/v1/users/${person.id}`))
    for (let number = 1; number <= 51; number += 1) {
      await administer({ ...tutti.platform, admin: person }, 'POST', '/api/v1/api-keys', {
        name: `Key ${number}`,
      })
    }
    await using visit = await visitAs(tutti, person, '/api-keys')
    const { page } = visit
    await page.getByText('1–50 of 51, oldest first', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL('**/api-keys?page=2')
    await page.getByText('51–51 of 51, oldest first', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revoke Key 51' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await row(page, 'Key 50').waitFor()
    await page.getByText('50 keys', { exact: true }).waitFor()
    await page.goto('/api-keys?page=9')
    await row(page, 'Key 50').waitFor()
  })

  test('opens with the form from the command palette', async () => {
    await using visit = await tutti.visit({ path: '/profile' })
    const { page } = visit
    await waitForPage(page, 'Profile')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or jump to…').fill('create api')
    await page.keyboard.press('Enter')
    await closeByEscape(page.getByRole('dialog', { name: 'Create API key' }))
    await page.waitForURL('**/api-keys')
  })

  test('lists the keys of all accounts with their owners to a user administrator', async () => {
    const person = await addPerson(tutti.platform, 'robert')
    await using theirs = await visitAs(tutti, person, '/api-keys')
    await waitForPage(theirs.page, 'API keys')
    await createKey(theirs.page, 'Roberts key')
    await theirs.page.goto('/api-keys?owner=all')
    expect(await theirs.page.getByRole('alert').innerText()).toContain('administer users')
    await using visit = await tutti.visit({ path: '/api-keys' })
    const { page } = visit
    await waitForPage(page, 'API keys')
    expect(await row(page, 'Roberts key').count()).toBe(0)
    await page.getByText('Everyone’s keys').click()
    await page.waitForURL('**/api-keys?owner=all')
    expect(await row(page, 'Roberts key').innerText()).toContain('robert')
  })
})
