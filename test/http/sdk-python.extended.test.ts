import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { addAccountWithKey } from '../support/accounts.ts'
import { sharePlatform } from '../support/shared-platform.ts'

const run = promisify(execFile)
const folder = new URL('../../sdk/python/', import.meta.url).pathname

const python = await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).then(
  () => 'python3',
  () => undefined,
)

test.skipIf(python === undefined)('the client for Python passes its tests, examples included', async () => {
  const platform = await sharePlatform()
  const { key } = await addAccountWithKey(platform.database, { roles: ['administrator'] })
  const env = {
    ...process.env,
    PYTHONPATH: `${folder}src`,
    PYTHONDONTWRITEBYTECODE: '1',
    TUTTI_URL: platform.url,
    TUTTI_API_KEY: key,
  }
  // unittest writes its report to standard error.
  const report = await run('python3', ['-W', 'error::ResourceWarning', 'tests/test_client.py', '-v'], {
    cwd: folder,
    env,
  }).then(
    ({ stderr }) => stderr,
    ({ stderr }: { stderr: string }) => stderr,
  )
  expect(report).toMatch(/Ran 13 tests in .*\n\nOK\n$/)
})
