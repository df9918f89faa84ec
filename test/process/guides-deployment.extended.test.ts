import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canRunGuides } from '../support/guide.ts'
import { patience } from '../support/patience.ts'
import { openPlatform } from '../support/platform.ts'
import { runOnPlatform, secretOfGuides } from './guide-runs.ts'
import { runTutti } from './run-tutti.ts'

const guide = new URL('../../docs/guides/deploy-flows.md', import.meta.url)

test.skipIf(!canRunGuides)(
  'the commands of the guide deploy-flows work in their order',
  { timeout: 400_000 * patience },
  async () => {
    await using platform = await openPlatform({ TUTTI_SECRET: secretOfGuides })
    await runOnPlatform(
      {
        name: 'deploy-flows',
        prints: [
          /^greeting: created, revision 1$/m,
          /^Hello, Ada!$/m,
          /^greeting: differs from revision 1$/m,
          '    ~ step greet: transformations[0].template: "Hello, {{content}}!" → "Welcome, {{content}}!"',
          /^There are changes\.$/m,
          /^greeting: unchanged, revision 2, flows\/greeting\.flow\.json$/m,
          /^Welcome, Ada!$/m,
          /^1 test, all passed\.$/m,
          '      - expected  "Welcome, Ada!"',
          '      + actual    "Hi, Ada!"',
          /^A test failed\.$/m,
          'The secret github is stored. It may be sent to api.github.com only.',
          'Hosts  api.shop.example',
          / active +greeting +0 9 \* \* 1-5 /,
          /^Answered review of the run \S+ with \{"approved":true\}\.$/m,
          / enabled +greeting +webhook \(github\) .* Greet contributors$/m,
        ],
        async inspect(folder) {
          expect(await readdir(join(folder, 'examples'))).toContain('content_quality_review.flow.json')
          expect(await readFile(join(folder, 'trigger.json'), 'utf8')).toContain('"secret": "')
        },
      },
      platform,
    )
  },
)

test('the CI examples of the guide use commands and options that exist', async () => {
  const text = await readFile(guide, 'utf8')
  const used = [...text.matchAll(/\.tutti-cli\/bin\/tutti (.*)$/gm)].map(([, command = '']) => command)
  expect(used.length).toBeGreaterThanOrEqual(4)
  for (const command of used) {
    const [, name = ''] = /^flows (push|test) /.exec(command) ?? []
    expect(name, command).not.toBe('')
    const { stdout: help } = await runTutti(['flows', name, '--help'], { env: {} })
    for (const [option] of command.matchAll(/--[a-z-]+/g)) expect(help).toContain(option)
  }
})
