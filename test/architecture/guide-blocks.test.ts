import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBlocks } from '../support/guide.ts'

type Language = 'sh' | 'js' | 'ts' | 'python'

/** The tests that execute the blocks of a guide. */
const executed: Readonly<Record<string, Partial<Record<Language, string>>>> = {
  'agents.md': { sh: 'test/process/guides.extended.test.ts' },
  'authentication.md': { sh: 'test/process/guides.extended.test.ts' },
  'backup.md': { sh: 'test/process/guides.extended.test.ts' },
  'build-flows.md': { sh: 'test/process/samples-guide.extended.test.ts' },
  'cluster.md': {
    sh: 'test/process/guides-models.extended.test.ts',
    js: 'test/process/guides-models.extended.test.ts',
  },
  'connect-clients.md': {
    sh: 'test/process/guides-models.extended.test.ts',
    js: 'test/process/guides-models.extended.test.ts',
  },
  'deploy-flows.md': { sh: 'test/process/cli-remote-guide.extended.test.ts' },
  'flow-expressions.md': { sh: 'test/process/guides.extended.test.ts' },
  'getting-started.md': { sh: 'test/process/guides-models.extended.test.ts' },
  'health.md': { sh: 'test/process/guides.extended.test.ts' },
  'human-steps.md': { sh: 'test/process/guides.extended.test.ts' },
  'mcp.md': { sh: 'test/process/guides.extended.test.ts' },
  'models.md': {
    sh: 'test/process/guides-models.extended.test.ts',
    js: 'test/process/guides-models.extended.test.ts',
    ts: 'test/process/guides-models.extended.test.ts',
  },
  'notifications.md': { sh: 'test/process/guides.extended.test.ts' },
  'oauth.md': { sh: 'test/process/guides.extended.test.ts' },
  'run-flows.md': { sh: 'test/process/guides.extended.test.ts' },
  'secrets.md': { sh: 'test/process/guides.extended.test.ts' },
  'tours.md': { sh: 'test/process/guides.extended.test.ts' },
  'triggers.md': { sh: 'test/process/guides.extended.test.ts' },
  'webhooks.md': {
    sh: 'test/process/guides.extended.test.ts',
    js: 'test/process/webhooks-guide.extended.test.ts',
  },
}

/** Their commands change the machine: Docker, systemd, servers. */
const guidesOfMachines = new Set(['deploy.md', 'operations.md'])

const guides = globSync('docs/guides/*.md').sort()

describe.each(guides)('%s', (guide) => {
  const name = basename(guide)
  const blocks = findBlocks(readFileSync(guide, 'utf8'))

  test.skipIf(guidesOfMachines.has(name))('its programs are executed, or say why they are not', () => {
    for (const language of ['sh', 'js', 'ts', 'python'] as const) {
      const open = blocks.filter(
        (block) => block.language === language && !block.note.startsWith('not-run: '),
      )
      expect(
        executed[name]?.[language] === undefined ? open : [],
        `A block needs a test, or its reason after the language: \`\`\`${language} not-run: reason`,
      ).toEqual([])
    }
  })

  test('its marks are those that test/support/guide.ts describes, and have a reason', () => {
    const programs = blocks.filter(({ language }) => /^(sh|js|ts|python)$/.test(language))
    const known = /^(|not-run: \S+ \S+.*|error-response|second-terminal|file: \S+)$/
    expect(programs.filter(({ note }) => !known.test(note))).toEqual([])
  })
})

test('the tests of guides exist and name them', () => {
  for (const [guide, tests] of Object.entries(executed))
    for (const file of Object.values(tests))
      expect(readFileSync(file, 'utf8'), `${file} and ${guide}`).toContain(basename(guide, '.md'))
})
