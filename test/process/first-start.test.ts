import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { startPlatform } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'

const cli = new URL('../../src/app/cli.ts', import.meta.url)

test('a first start that fails keeps the password for the start that succeeds', {
  timeout: 60_000,
}, async () => {
  await using folder = await createDataFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const start = () =>
    startProcess({
      file: cli,
      args: ['serve'],
      env: {
        DATABASE_URL: '',
        TUTTI_DATA_DIR: folder.path,
        TUTTI_ADMIN_PASSWORD: '',
        PORT: String(port),
        CLUSTER_PORT: '0',
        METRICS_PORT: '0',
        DISCOVERY_PORTS: '',
      },
    })
  {
    await using refused = await start()
    expect(await refused.exit).toMatchObject({ code: 1 })
    expect(refused.stderr.join('\n')).toContain(`Port ${port} is already in use`)
  }
  other.close()
  await once(other, 'close')
  await using started = await start()
  const line = await started.waitForLine(/First sign-in/)
  const [, password] = /admin \/ (\S+) /.exec(line) ?? []
  const answer = await fetch(`http://127.0.0.1:${port}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  expect(answer.status).toBe(200)
})

test('one Ctrl-C that arrives twice stops the platform in order', async () => {
  await using platform = await startPlatform()
  process.kill(platform.process.pid, 'SIGINT')
  process.kill(platform.process.pid, 'SIGINT')
  expect(await platform.process.exit).toEqual({ code: 0, signal: null })
  expect(platform.process.stdout.at(-1)).toBe('Stopped.')
})
