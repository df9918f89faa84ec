import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRepository } from './support/project.ts'
import { ask, buildTool, tutti, writing } from './support/tool.ts'

beforeAll(buildTool)

test('sharedMetrics keeps one file for each member, and status --team adds them up', async () => {
  using project = await createRepository({ 'tdd.config.yaml': 'team: { sharedMetrics: true }\n' })
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  await ask(project.root, writing('src/cart.ts'))
  await tutti(project.root, ['green'])
  const other = {
    version: 1,
    member: 'Lin',
    months: {
      '2026-10': { cycles: 4, provenRed: 3, runs: 9, heldGreen: 4, blockedEdits: 1, misplacedEdits: 0 },
    },
  }
  project.write('.tdd/metrics/lin.json', JSON.stringify(other))
  project.write('.tdd/metrics/damaged.json', '{')
  const { stdout } = await tutti(project.root, ['status', '--team'])
  expect(stdout).toMatch(
    /Team: +2 members, 5 cycles, 3 with a proven RED, 4 of 9 runs held GREEN, 2 edits blocked/,
  )
  await project.git('config', 'user.name', 'Ada Lovelace')
  expect((await tutti(project.root, ['status', '--team'])).stdout).toContain('2 members, 5 cycles')
})

test('without sharedMetrics the team has no metrics', async () => {
  using project = await createRepository()
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  await tutti(project.root, ['status'])
  expect(existsSync(join(project.root, '.tdd/metrics'))).toBe(false)
})

test('notifications reach the person: on a blocked edit, a new phase, a failing run, a violation', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'team: { notifications: true, enforcementLevel: strict }\n',
  })
  using desktop = await createRepository()
  const log = join(desktop.root, 'shown')
  for (const name of ['notify-send', 'osascript']) {
    desktop.write(`bin/${name}`, `#!/bin/sh\necho "$@" | tr '\\n' ' ' >> "${log}"\necho >> "${log}"\n`)
    chmodSync(join(desktop.root, 'bin', name), 0o755)
  }
  const env = { PATH: `${join(desktop.root, 'bin')}:${process.env['PATH'] ?? ''}` }
  const shown = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  await tutti(project.root, ['red', 'cart'], { env })
  await expect.poll(shown).toContain('RED, cart')
  await tutti(project.root, ['hook', JSON.stringify(writing('src/cart.ts'))], { env })
  await expect.poll(shown).toContain('Edit blocked')
  project.write(
    'report.xml',
    '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>',
  )
  await tutti(project.root, ['run', '--report', 'report.xml'], { env })
  await tutti(project.root, ['green'], { env })
  await tutti(project.root, ['run', '--report', 'report.xml'], { env })
  await expect.poll(shown).toContain('GREEN: 1 failing')
  project.write('src/cart.ts', 'export {}\n')
  await tutti(project.root, ['validate'], { env })
  await expect.poll(shown).toContain('against the workflow')
})

test('without notifications, or without a program to show them, nothing is sent', async () => {
  using quiet = await createRepository()
  using desktop = await createRepository()
  desktop.write('bin/notify-send', `#!/bin/sh\ntouch "${desktop.root}/shown"\n`)
  chmodSync(join(desktop.root, 'bin/notify-send'), 0o755)
  const env = { PATH: `${join(desktop.root, 'bin')}:${process.env['PATH'] ?? ''}` }
  await tutti(quiet.root, ['red', 'cart'], { env })
  expect(readdirSync(desktop.root)).not.toContain('shown')
  using missing = await createRepository({ 'tdd.config.yaml': 'team: { notifications: true }\n' })
  expect(await tutti(missing.root, ['red', 'cart'], { env: { PATH: '/nowhere' } })).toMatchObject({
    code: 0,
    stderr: '',
  })
})
