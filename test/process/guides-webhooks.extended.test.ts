import { once } from 'node:events'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openWebhooksScene } from '../database/webhooks-setting.ts'
import { readGuide } from '../support/guide.ts'
import { startProcess } from '../support/process.ts'

const library = new URL('../../src/webhooks/receive/index.mjs', import.meta.url)
const packages = new URL('../../node_modules', import.meta.url)

/** Writes the files of the guide into a folder of their own. */
async function writeGuide(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-guide-'))
  for (const { note, code } of await readGuide('webhooks'))
    if (note.startsWith('file: ')) await writeFile(join(folder, note.slice(6)), code)
  await copyFile(library, join(folder, 'tutti-webhooks.mjs'))
  await symlink(packages, join(folder, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('the receiver of the guide passes verification, handles each event once, and rejects forged requests', async () => {
  await using files = await writeGuide()
  const secret = 'a-secret-of-our-own'
  await using receiver = await startProcess({
    file: pathToFileURL(join(files.folder, 'receiver.mjs')),
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
  })
  const port = (await receiver.waitForLine(/^listening on/)).split(' ').at(-1)
  const url = `http://127.0.0.1:${port}/`
  await using scene = await openWebhooksScene()
  const { id } = await scene.subscribe(url, { secret })
  await scene.publish([{ data: { n: 1 } }])
  await scene.until(id, 'delivered')
  const webhook = await scene.webhooks.subscriptions.read(scene.owner, id)
  await scene.webhooks.deliveries.redeliverRange(webhook, { state: 'all' })
  await scene.publish([{ data: { n: 2 } }])
  await receiver.waitForLine(/n: 2/)
  expect(receiver.stdout.filter((line) => line.includes('n: 1'))).toHaveLength(1)
  const forged = await fetch(url, {
    method: 'POST',
    body: '{"event":"flow.step.completed"}',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,`,
    },
  })
  expect(forged.status).toBe(400)
})

interface Delivery {
  readonly path: string | undefined
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

interface Verifier {
  readonly readWebhook: (
    body: string,
    headers: IncomingHttpHeaders,
    secret: string,
  ) => { readonly data: unknown }
}

test.each(['verify-webhook.mjs', 'verify-with-library.mjs'])(
  '%s of the guide reads a delivery, and rejects a changed one',
  async (file) => {
    await using files = await writeGuide()
    const { readWebhook } = (await import(pathToFileURL(join(files.folder, file)).href)) as Verifier
    const received: Delivery[] = []
    async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = await text(request)
      received.push({ path: request.url, body, headers: request.headers })
      // The challenge of the verification is part of it.
      response.end(body)
    }
    const server = createServer((request, response) => void receive(request, response))
    await using _ = { [Symbol.asyncDispose]: async () => void server.close() }
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    await using scene = await openWebhooksScene()
    const secrets = ['a-secret-of-our-own', `whsec_${Buffer.alloc(24, 7).toString('base64')}`]
    for (const [index, secret] of secrets.entries()) {
      const { id } = await scene.subscribe(`http://127.0.0.1:${port}/${index}`, { secret })
      await scene.publish([{ data: { n: 1 } }])
      await scene.until(id, 'delivered')
      const delivery = received.find(({ path, body }) => path === `/${index}` && body.includes('"n":1'))
      const { body = '', headers = {} } = delivery ?? {}
      expect(readWebhook(body, headers, secret)).toMatchObject({ data: { n: 1 } })
      expect(() => readWebhook(body.replace('"n":1', '"n":2'), headers, secret)).toThrow()
    }
  },
)
