import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityServer, startIdentityServer } from '../http/identity-server.ts'
import {
  addPerson,
  authorizeUrl,
  type RegisteredClient,
  redeem,
  registerClient,
  tokensOf,
  worksAt,
} from '../http/oauth-support.ts'
import type { Person } from '../http/oauth-visitor.ts'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'

let server: IdentityServer
let browser: TestBrowser
let application: { readonly callback: string } & AsyncDisposable
let owner: Person
beforeAll(async () => {
  server = await startIdentityServer()
  browser = await openBrowser()
  application = await startApplication()
  owner = await addPerson(server, { username: 'owner' })
})
afterAll(async () => {
  await browser[Symbol.asyncDispose]()
  await application[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The client application, on another origin. */
async function startApplication(): Promise<{ readonly callback: string } & AsyncDisposable> {
  const http = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Back</title>')
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    callback: `http://127.0.0.1:${port}/callback`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => void http.close(resolve))
    },
  }
}

interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly complaints: readonly string[]
}

async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

async function signIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function registerApplication(name = 'Score reader'): Promise<RegisteredClient> {
  return await registerClient(server, owner, { name, redirect_uris: [application.callback] })
}

async function landing(page: Page): Promise<URL> {
  await page.waitForURL(`${application.callback}?*`)
  return new URL(page.url())
}

describe('authorizing an application', () => {
  test.each([
    { scripts: 'with scripts', javaScriptEnabled: true },
    { scripts: 'without scripts', javaScriptEnabled: false },
  ])(
    'a user signs in, allows access and is redirected with a code, $scripts',
    async ({ javaScriptEnabled }) => {
      const person = await addPerson(server)
      const client = await registerApplication()
      await using visiting = await visit({ javaScriptEnabled })
      const { page, complaints } = visiting
      await page.goto(authorizeUrl(server, client, { scope: 'models.read', state: 'here' }))
      await signIn(page, person)
      await page.getByRole('heading', { name: 'Allow Score reader to use your account?' }).waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
      const landed = await landing(page)
      expect(landed.searchParams.get('state')).toBe('here')
      const tokens = await tokensOf(await redeem(server, client, landed.searchParams.get('code') ?? ''))
      expect(await worksAt(server, tokens.access_token)).toBe(true)

      // Granted consent is not requested again: the sign-in form redirects to the application.
      await page.context().clearCookies()
      await page.goto(authorizeUrl(server, client, { scope: 'models.read', state: 'again' }))
      await signIn(page, person)
      expect((await landing(page)).searchParams.get('state')).toBe('again')
      expect(complaints).toEqual([])
    },
  )

  test('a user who denies access is redirected with the error', async () => {
    const person = await addPerson(server)
    const client = await registerApplication()
    await using visiting = await visit()
    const { page, complaints } = visiting
    await page.goto(authorizeUrl(server, client, { state: 'here' }))
    await signIn(page, person)
    await page.getByRole('button', { name: 'Deny' }).click()
    const landed = await landing(page)
    expect(landed.searchParams.get('error')).toBe('access_denied')
    expect(landed.searchParams.get('state')).toBe('here')
    expect(complaints).toEqual([])
  })

  test('a user decides with the keyboard alone', async () => {
    const person = await addPerson(server)
    const client = await registerApplication()
    await using visiting = await visit()
    const { page } = visiting
    await page.goto(authorizeUrl(server, client))
    await signIn(page, person)
    await page.getByRole('heading', { name: /^Allow/ }).waitFor()
    // The buttons come after the heading.
    await page.waitForLoadState()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Deny')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect((await landing(page)).searchParams.has('code')).toBe(true)
  })

  test('another user signs in and is asked for their own consent', async () => {
    const first = await addPerson(server)
    const second = await addPerson(server)
    const client = await registerApplication()
    await using visiting = await visit()
    const { page, complaints } = visiting
    await page.goto(authorizeUrl(server, client))
    await signIn(page, first)
    await page.getByText(`Signed in as ${first.username}`).waitFor()
    await page.getByRole('button', { name: 'Not you?' }).click()
    await signIn(page, second)
    await page.getByText(`Signed in as ${second.username}`).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    expect((await landing(page)).searchParams.has('code')).toBe(true)
    expect(complaints).toEqual([])
  })
})

test('the authorization pages render correctly, light or dark, at 1000 or 360 pixels', async () => {
  const person = await addPerson(server)
  const client = await registerApplication('The very well known reader of orchestral scores and parts')
  await using visiting = await visit()
  const { page } = visiting

  async function check(): Promise<void> {
    for (const width of [1000, 360]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await readSidewaysScroll(page), `${width} pixels`).toBe(0)
      expect(await findViolations(page), `${width} pixels, light`).toEqual([])
      await switchColours(page, 'dark')
      expect(await findColourViolations(page), `${width} pixels, dark`).toEqual([])
      await switchColours(page, 'light')
    }
  }

  await page.goto(authorizeUrl(server, client, { scope: 'models.read' }))
  await signIn(page, person)
  await page.getByRole('heading', { name: /^Allow/ }).waitFor()
  await check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await landing(page)

  await page.goto(authorizeUrl(server, client))
  await page.getByRole('heading', { name: 'It now also wants to' }).waitFor()
  await check()

  await page.goto(authorizeUrl(server, client, { redirect_uri: 'https://evil.example/' }))
  await page.getByRole('heading', { name: 'Invalid request' }).waitFor()
  await check()
})
