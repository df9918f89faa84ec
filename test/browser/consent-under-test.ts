import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type IdentityServer, startIdentityServer } from '../http/identity-server.ts'
import { addPerson, type RegisteredClient, registerClient } from '../http/oauth-support.ts'
import type { Person } from '../http/oauth-visitor.ts'
import { openBrowser } from '../support/browser.ts'

/** A server that asks users for consent, and a client application on another origin. */
export interface ConsentUnderTest extends AsyncDisposable {
  readonly server: IdentityServer
  registerApplication(name?: string): Promise<RegisteredClient>
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** Waits until the page is the one of the application, and returns its address. */
  landing(page: Page): Promise<URL>
}

interface Visit extends AsyncDisposable {
  readonly page: Page
  /** Every violation of the content security policy so far. */
  readonly complaints: readonly string[]
}

export async function openConsent(): Promise<ConsentUnderTest> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startIdentityServer())
  const application = opening.use(await startApplication())
  const browser = opening.use(await openBrowser())
  const owner = await addPerson(server, { username: 'owner' })
  const opened = opening.move()
  return {
    server,
    registerApplication: (name = 'Score reader') =>
      registerClient(server, owner, { name, redirect_uris: [application.callback] }),
    async visit(options = {}) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) complaints.push(message.text())
      })
      return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
    },
    async landing(page) {
      await page.waitForURL(`${application.callback}?*`)
      return new URL(page.url())
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

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

/** Fills in the sign-in form that is open. */
export async function signIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
