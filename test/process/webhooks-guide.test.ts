import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openWebhooksScene } from '../database/webhooks-setting.ts'
import { startProcess } from '../support/process.ts'

const guide = new URL('../../docs/guides/webhooks.md', import.meta.url)
const library = new URL('../../src/webhooks/receive/index.mjs', import.meta.url)

/** Writes the files of the guide into a folder of their own. */
async function writeGuide(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-guide-'))
  const text = await readFile(guide, 'utf8')
  for (const [, name = '', code = ''] of text.matchAll(/`([\w-]+\.mjs)` [^`]*```js\n(.*?)```/gs))
    await writeFile(join(folder, name), code)
  await copyFile(library, join(folder, 'tutti-webhooks.mjs'))
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
