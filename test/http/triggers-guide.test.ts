import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { addAccountWithKey } from '../support/accounts.ts'
import { openPlatform } from '../support/platform.ts'

const guide = new URL('../../docs/guides/triggers.md', import.meta.url)

test('the commands of the guide work', async () => {
  await using platform = await openPlatform({
    TUTTI_SECRET: 'a secret that only tests know, and long enough',
  })
  const { key } = await addAccountWithKey(platform.database, { roles: ['administrator'] })
  const folder = await mkdtemp(join(tmpdir(), 'tutti-guide-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  const blocks = [...(await readFile(guide, 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  const script = blocks
    .map(([, block = '']) => block)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', platform.url)
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, TUTTI_API_KEY: key },
  })
  const [output, errors] = [text(shell.stdout), text(shell.stderr)]
  const [code] = (await once(shell, 'exit')) as [number]
  expect([code, await errors]).toEqual([0, ''])
  const printed = await output
  expect(printed).toContain('"success":true,"execution_id"')
  expect(printed).toContain('"started": 1')
  expect(printed).toContain('"outcome": "started"')
})
