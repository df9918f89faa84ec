import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aside } from '../src/aside.ts'
import { heavy } from '../src/commands.ts'
import { handleHook } from '../src/hook/hook.ts'
import { claudeCode } from '../src/protocols/protocols.ts'
import { testHome } from './support/home.ts'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, runProgram, toolFile, tutti } from './support/tool.ts'

const files = {
  'package.json': '{}',
  'src/cart.ts': 'export {}\n',
  'tdd.config.yaml': 'team: { enforcementLevel: strict }\n',
  '.tdd/hook.cjs': '// the hook\n',
  '.claude/settings.json': '{ "hooks": { "PreToolUse": [] } }\n',
  '.husky/pre-commit': 'node .tdd/hook.cjs validate --pre-commit\n',
  '.git/hooks/pre-commit': '#!/bin/sh\nnode .tdd/hook.cjs validate --pre-commit\n',
  'weak.yaml': 'team: { enforcementLevel: off }\n',
}

let project: TestProject
let state = ''
let calls = 0

beforeAll(async () => {
  await buildTool()
  project = await createRepository(files)
  mkdirSync(join(testHome, 'bin'), { recursive: true })
  symlinkSync(toolFile, join(testHome, 'bin/tutti-tdd'))
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  state = read('.tdd/state.json') ?? ''
  files['.git/config' as keyof typeof files] = read('.git/config') ?? ''
})

afterAll(() => project[Symbol.dispose]())

/** Each test starts with the same files and no open command. */
beforeEach(() => {
  for (const path of ['.local', '.claude']) rmSync(join(testHome, path), { recursive: true, force: true })
  for (const path of ['.claude', 'moved', 'real', 'other.txt', 'src/cart.test.ts', 'notes.txt', 'report.xml'])
    rmSync(join(project.root, path), { recursive: true, force: true })
  for (const [path, content] of Object.entries({ ...files, '.tdd/state.json': state })) {
    rmSync(join(project.root, path), { recursive: true, force: true })
    project.write(path, content)
    chmodSync(join(project.root, path), path.endsWith('pre-commit') ? 0o755 : 0o644)
  }
})

function read(path: string): string | undefined {
  try {
    return readFileSync(join(project.root, path), 'utf8')
  } catch {
    return undefined
  }
}

/** Calls the hook as Claude Code does; the text that the assistant reads. */
function hook(event: string, rest: object, now = new Date()): string {
  const { root } = project
  const input = { cwd: root, session_id: 'session-1', hook_event_name: event, ...rest }
  const { denied, context } = handleHook(claudeCode.read(input, root), {
    agent: 'claude-code',
    now,
    load: { aside: () => aside, heavy: () => heavy },
  })
  return denied ?? context ?? ''
}

interface Call {
  readonly tool_name: string
  readonly tool_input: object
  readonly tool_use_id: string
}

function callOf(command: string): Call {
  calls += 1
  return { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${calls}` }
}

const shell = (command: string) =>
  runProgram('bash', ['-c', command], {
    cwd: project.root,
    env: { PATH: `${join(testHome, 'bin')}:${process.env['PATH']}` },
  })

/** The assistant runs a command: the hook before it, the command unless it was refused, the hook after it. */
async function runsCommand(command: string): Promise<string> {
  const call = callOf(command)
  const refused = hook('PreToolUse', call)
  if (refused !== '') return refused
  const { code } = await shell(command)
  return hook(code === 0 ? 'PostToolUse' : 'PostToolUseFailure', call)
}

const edit = () => hook('PreToolUse', { tool_name: 'Write', tool_input: { file_path: 'src/cart.ts' } })

/** The rules are in force and every file is as before. */
function expectEnforced(except: readonly string[] = []): void {
  for (const [path, content] of Object.entries(files))
    if (!except.includes(path)) expect(`${path}: ${read(path)}`).toBe(`${path}: ${content}`)
  expect(edit()).toContain('red-tests-only')
}

const has = async (program: string) => (await shell(`command -v ${program}`)).code === 0

describe('the configuration', () => {
  test.each([
    'rm *.yaml',
    'rm "$PWD/tdd.config.yaml"',
    'find . -name tdd.config.yaml -delete',
    'ls *.yaml | xargs rm',
    'shred -u tdd.config.yaml',
    'printf "1d\\nw\\nq\\n" | ed -s tdd.config.yaml',
    `perl -e 'rename "weak.yaml", "tdd.config.yaml"'`,
    `python3 -c 'open("tdd.config.yaml", "w").write("")'`,
    'f=tdd; echo "team: { enforcementLevel: warn }" > $f.config.yaml',
    'r=rm; $r -f tdd.config.yaml; mkdir tdd.config.yaml',
    'eval "$(echo ZWNobyA+IHRkZC5jb25maWcueWFtbA== | base64 -d)"',
    'find . -maxdepth 1 -name "tdd.*" -exec chmod 0 {} +',
    'git add -A && git -c core.hooksPath="" stash -q',
  ])('survives: %s', async (command) => {
    const said = await runsCommand(command)
    expectEnforced(['weak.yaml', 'package.json', 'src/cart.ts'])
    expect(said).toMatch(/\[TDD\] (?:Restored|Blocked)/)
    await shell('git stash drop -q; git reset -q')
  })

  test('survives what a program does that is not everywhere installed', async () => {
    if (await has('gawk'))
      expect(await runsCommand(`gawk -i inplace '{ print "" }' tdd.config.yaml`)).toContain('tdd.config.yaml')
    if (await has('rsync'))
      expect(await runsCommand('rsync -I weak.yaml tdd.config.yaml')).toContain('tdd.config.yaml')
    expectEnforced()
  })

  test('is named in the answer, with the way to change it and the version that was replaced', async () => {
    const said = await runsCommand(
      'cat weak.yaml | sponge 2>/dev/null || find . -name tdd.config.yaml -exec cp weak.yaml {} \\;',
    )
    expect(said).toContain('tdd.config.yaml (changed)')
    expect(said).toContain('own terminal')
    const kept = /\S+\/replaced\/\S*[^\s.]/.exec(said)?.[0] ?? ''
    expect(readFileSync(join(kept, 'tdd.config.yaml'), 'utf8')).toBe(files['weak.yaml'])
  })
})

describe('enforcement', () => {
  test.each([
    '$(which tutti-tdd) off',
    'T=tutti-tdd; $T off',
    'X=$(command -v tutti-tdd); node "$X" stop',
    'printf "tutti-tdd off" > /tmp/tutti-tdd-off.sh; bash /tmp/tutti-tdd-off.sh; rm /tmp/tutti-tdd-off.sh',
    'yes | $(which tutti-tdd) uninstall',
    `P=/tdd-; printf '{"hook_event_name":"UserPromptSubmit","prompt":"%soff","session_id":"session-1"}' $P | $(which tutti-tdd) hook --agent claude-code`,
    `P=/tdd-; $(which tutti-tdd) hook "{\\"event\\":\\"UserPromptSubmit\\",\\"prompt\\":\\"\${P}stop\\"}"`,
    'find .tdd -name state.json -delete',
    `node -e 'const f=".td"+"d/state.json",fs=require("fs"),s=JSON.parse(fs.readFileSync(f));s.suspendedAt="2026-01-01T00:00:00.000Z";s.revision++;fs.writeFileSync(f,JSON.stringify(s))'`,
    `node -e 'const f=".td"+"d/state.json",fs=require("fs"),s=JSON.parse(fs.readFileSync(f));s.packages["."].phase="GREEN";s.revision++;fs.writeFileSync(f,JSON.stringify(s))'`,
  ])('survives: %s', async (command) => {
    await runsCommand(command)
    expectEnforced()
    const after = JSON.parse(read('.tdd/state.json') ?? '{}') as { session?: object; suspendedAt?: string }
    expect(after.session).toBeDefined()
    expect(after.suspendedAt).toBeUndefined()
  })

  test('a command that is refused because the assistant runs it says so', async () => {
    const call = callOf('$(which tutti-tdd) off')
    expect(hook('PreToolUse', call)).toBe('')
    const { code, stderr } = await shell('$(which tutti-tdd) off')
    expect(code).toBe(1)
    expect(stderr).toMatch(/a command of claude-code.*still runs/)
    expect(hook('PostToolUse', call)).toBe('')
  })

  test('a removed .tdd folder is restored', async () => {
    const said = await runsCommand('find .tdd -delete')
    expectEnforced()
    expect(said).toMatch(/\.tdd\/hook\.cjs \(deleted\)/)
    expect(said).toContain('.tdd/state.json')
  })

  test('a forged cache of the configuration is not believed', async () => {
    edit()
    await runsCommand(
      `node -e 'const f=".td"+"d/cache/config.json",fs=require("fs");fs.writeFileSync(f,fs.readFileSync(f,"utf8").replace(/strict/g,"off"))'`,
    )
    expectEnforced()
  })
})

describe('hooks', () => {
  test.each([
    ['.claude/settings.local.json', `d=.claude; echo '{"disableAllHooks":true}' > $d/settings.local.json`],
    ['.claude/settings.json', 'find . -name settings.json -delete'],
    ['.claude/settings.json', `mv $PWD/.cl* moved`],
    ['.git/hooks/pre-commit', 'find .git -name pre-commit -exec chmod -x {} +'],
    ['.husky/pre-commit', 'find . -name pre-commit -delete'],
    ['.git/config', 'git config --file=.git/config core.hooksPath /dev/null'],
    ['.git/config', `git "config" "core.hooks""Path" /tmp`],
    ['.git/config', 'G="git config"; $G core.hooksPath /dev/null'],
    ['.git/config', 'G="git config"; $G include.path /tmp/more'],
  ])('%s survives: %s', async (path, command) => {
    const mode = existsSync(join(project.root, path)) ? statSync(join(project.root, path)).mode : undefined
    const said = await runsCommand(command)
    expect(said).toMatch(/\[TDD\] (?:Restored|Blocked)/)
    if (said.includes('Restored')) expect(said).toContain(path)
    const now = existsSync(join(project.root, path)) ? statSync(join(project.root, path)).mode : undefined
    expect(now).toBe(mode)
    expectEnforced()
  })

  test('a hooks folder in which commits are still validated stays, as husky sets it up', async () => {
    project.write('.husky/_/pre-commit', 'h\n')
    expect(await runsCommand('G="git config"; $G core.hooksPath .husky/_')).toBe('')
    expect(read('.git/config')).toContain('hooksPath = .husky/_')
  })

  test('settings of the assistant in the home folder are restored', async () => {
    const home = join(testHome, '.claude/settings.json')
    mkdirSync(join(testHome, '.claude'), { recursive: true })
    writeFileSync(home, '{"model":"a"}\n')
    const said = await runsCommand(`echo '{"disableAllHooks":true,"model":"b"}' > ~/.cl*/settings.json`)
    expect(said).toContain('.claude/settings.json')
    expect(JSON.parse(readFileSync(home, 'utf8'))).toEqual({ model: 'b' })
    rmSync(join(testHome, '.claude'), { recursive: true })
  })

  test('a setting that is no hook stays, as when the user allows a command for good while it waits', async () => {
    expect(
      await runsCommand(`d=.claude; echo '{"permissions":{"allow":["Bash"]}}' > $d/settings.local.json`),
    ).toBe('')
    expect(read('.claude/settings.local.json')).toContain('permissions')
  })

  test('a link or another name of a protected file is no way around', async () => {
    expect(await runsCommand('ln tdd.config.yaml other.txt')).toContain('tdd.config.yaml')
    writeFileSync(join(project.root, 'other.txt'), '')
    expectEnforced()
    expect(await runsCommand('mv $PWD/.cl* real && ln -s real .claude')).toContain('.claude')
    writeFileSync(join(project.root, 'real/settings.json'), '{}')
    expectEnforced()
    rmSync(join(project.root, 'real'), { recursive: true })
  })
})

describe('the user and ordinary work', () => {
  test.each([
    'echo "export const a = 1" > src/cart.test.ts',
    'touch notes.txt && git add -A && git status',
    'git config user.name Grace && git remote add origin https://example.org/x.git && git config --remove-section remote.origin && git config user.name Ada',
    'true',
    'exit 3',
  ])('nothing is said and nothing undone after: %s', async (command) => {
    expect(await runsCommand(command)).toBe('')
    if (command.startsWith('echo')) expect(read('src/cart.test.ts')).toContain('const a')
    expectEnforced(['.git/config'])
  })

  test('phases and evidence of a command stay', async () => {
    project.write(
      'report.xml',
      '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>',
    )
    expect(
      await runsCommand('tutti-tdd run --report report.xml && tutti-tdd green && tutti-tdd status'),
    ).toBe('')
    expect(JSON.parse(read('.tdd/state.json') ?? '{}')).toMatchObject({
      packages: { '.': { phase: 'GREEN', red: { failing: [expect.stringContaining('adds')] } } },
    })
  })

  test('phases stay when the same command also tries to end the session', async () => {
    project.write(
      'report.xml',
      '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>',
    )
    await runsCommand('tutti-tdd run --report report.xml && tutti-tdd green; S=tutti-tdd; $S stop; $S off')
    expect(JSON.parse(read('.tdd/state.json') ?? '{}')).toMatchObject({
      session: {},
      packages: { '.': { phase: 'GREEN' } },
    })
  })

  test('between commands the user suspends the rules in their own terminal', async () => {
    await runsCommand('true')
    expect(await tutti(project.root, ['off'])).toMatchObject({ code: 0 })
    expect(edit()).toBe('')
    expect(await runsCommand('echo > tdd.config.yaml')).toBe('')
    expect(read('tdd.config.yaml')).toBe('\n')
  })

  test('between commands the user changes the configuration', async () => {
    await runsCommand('true')
    project.write('tdd.config.yaml', 'team: { enforcementLevel: warn }\n')
    await runsCommand('true')
    expect(read('tdd.config.yaml')).toContain('warn')
  })

  test('content that git brings with another commit stays', async () => {
    using team = await createRepository({ ...files, '.gitignore': '.tdd/state.json\n.tdd/cache\n.tdd/log\n' })
    rmSync(join(team.root, '.git/hooks/pre-commit'))
    await team.git('add', '-A')
    await team.git('commit', '-qm', 'strict')
    await team.git('checkout', '-qb', 'next')
    team.write('tdd.config.yaml', 'team: { enforcementLevel: strict }\n# next\n')
    const past = { GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' }
    await runProgram('git', ['commit', '-qam', 'next'], { cwd: team.root, env: past })
    await team.git('checkout', '-q', 'main')
    const before = project
    project = team
    try {
      await tutti(team.root, ['start'])
      expect(await runsCommand('git checkout -q next')).toBe('')
      expect(read('tdd.config.yaml')).toContain('# next')
      expect(await runsCommand('f=tdd.config.yaml; echo > $f; git commit -qam weaker')).toContain(
        'tdd.config.yaml',
      )
      expect(read('tdd.config.yaml')).toContain('# next')
    } finally {
      project = before
    }
  })
})

describe('without the event after a command', () => {
  const rmConfig = 'rm "$PWD/tdd.config.yaml"'

  test('the next tool call restores the files and is refused once', async () => {
    expect(hook('PreToolUse', callOf(rmConfig))).toBe('')
    await shell(rmConfig)
    expect(hook('PreToolUse', callOf('true'))).toMatch(/\[TDD\] Restored.*tdd\.config\.yaml/s)
    expect(hook('PreToolUse', callOf('true'))).toBe('')
    expectEnforced()
  })

  test('an edit restores the files too', async () => {
    hook('PreToolUse', callOf(rmConfig))
    await shell(rmConfig)
    edit()
    expectEnforced()
  })

  test('the next prompt restores them and ends the command, so that /tdd-off works', async () => {
    hook('PreToolUse', callOf(rmConfig))
    await shell(rmConfig)
    expect(hook('UserPromptSubmit', { prompt: 'hello' })).toMatch(/\[TDD\] Restored.*tdd\.config\.yaml/s)
    expectEnforced()
    hook('PreToolUse', callOf('sleep 600'))
    expect(hook('UserPromptSubmit', { prompt: '/tdd-off' })).toContain('Enforcement is off')
    expect(await tutti(project.root, ['on'])).toMatchObject({ code: 0 })
  })

  test.each([['status'], ['validate']])('tutti-tdd %s restores them', async (...args) => {
    hook('PreToolUse', callOf(rmConfig))
    await shell(rmConfig)
    expect((await tutti(project.root, args)).stderr).toContain('tdd.config.yaml')
    expectEnforced()
  })

  test('a command in the background stays open until the next prompt', async () => {
    const call = callOf('x')
    const background = { ...call, tool_input: { command: 'x', run_in_background: true } }
    hook('PreToolUse', background)
    expect(hook('PostToolUse', background)).toBe('')
    await shell(rmConfig)
    expect(edit()).toContain('tdd.config.yaml')
    expectEnforced()
    expect((await tutti(project.root, ['off'])).stderr).toContain('off refused')
    hook('UserPromptSubmit', { prompt: 'hello' })
    expect(await tutti(project.root, ['off'])).toMatchObject({ code: 0 })
  })

  test('a command of another session stays open at a prompt', async () => {
    const call = callOf('x')
    hook('PreToolUse', call)
    expect(hook('UserPromptSubmit', { prompt: '/tdd-off', session_id: 'session-2' })).toContain(
      '/tdd-off refused',
    )
    hook('PostToolUse', call)
    expect(hook('UserPromptSubmit', { prompt: '/tdd-off', session_id: 'session-2' })).toContain(
      'Enforcement is off',
    )
  })

  test('a prompt that the command itself sends to the hook ends nothing', async () => {
    const call = callOf('x')
    hook('PreToolUse', call)
    hook('UserPromptSubmit', { prompt: '/tdd-off' })
    await shell(rmConfig)
    expect(hook('PostToolUse', call)).toContain('tdd.config.yaml')
    expectEnforced()
  })

  test('the event of another call ends nothing', async () => {
    const call = callOf('x')
    hook('PreToolUse', call)
    hook('PostToolUse', callOf('x'))
    await shell(rmConfig)
    expect(hook('PostToolUse', call)).toContain('tdd.config.yaml')
    expectEnforced()
  })

  test('parallel commands share one snapshot', async () => {
    const [one, two] = [callOf('one'), callOf('two')]
    hook('PreToolUse', one)
    hook('PreToolUse', two)
    await shell(rmConfig)
    expect(hook('PostToolUse', one)).toContain('tdd.config.yaml')
    await shell(rmConfig)
    expect(hook('PostToolUse', two)).toContain('tdd.config.yaml')
    expectEnforced()
  })

  test('after ten minutes a command counts as interrupted, and later changes are those of the user', async () => {
    const past = new Date(Date.now() - 11 * 60_000)
    const call = callOf('x')
    hook('PreToolUse', call, past)
    project.write('tdd.config.yaml', 'team: { enforcementLevel: strict }\n# mine\n')
    expect(hook('PreToolUse', callOf('true'))).toBe('')
    expect(read('tdd.config.yaml')).toContain('# mine')
    expect(hook('PostToolUse', call)).toContain('tdd.config.yaml')
  })

  test('a project inside a checkout is found when the command removed all that made it one', async () => {
    using checkout = await createRepository({
      'shop/tdd.config.yaml': files['tdd.config.yaml'],
      'shop/src/a.ts': '',
    })
    const outer = project
    project = { ...checkout, root: join(checkout.root, 'shop') }
    try {
      await tutti(project.root, ['start'])
      expect(await runsCommand('find . -name "*tdd*" -delete; rm -rf "$PWD"/.t*')).toContain(
        'tdd.config.yaml',
      )
      expect(read('tdd.config.yaml')).toBe(files['tdd.config.yaml'])
    } finally {
      project = outer
    }
  })

  test('a removed snapshot is reported', async () => {
    const said = await runsCommand(
      'd=tutti-td; rm -rf ~/.local/state/${d}d; find . -name tdd.config.yaml -delete',
    )
    expect(said).toContain('snapshot')
  })
})

describe('other tools', () => {
  test('a tool of an MCP server is compared like a command', async () => {
    const call = { tool_name: 'mcp__files__write', tool_input: {}, tool_use_id: 'toolu_mcp' }
    expect(hook('PreToolUse', call)).toBe('')
    await shell('echo > tdd.config.yaml')
    expect(hook('PostToolUse', call)).toContain('tdd.config.yaml')
    expectEnforced()
  })

  test.each(['mkdir src/.tdd', 'git init -q src', 'cd src && f=tdd; echo > $f.config.yaml'])(
    'a folder that a command makes a project of its own keeps the rules: %s',
    async (command) => {
      await runsCommand(command)
      expectEnforced()
      for (const name of ['.tdd', '.git', 'tdd.config.yaml'])
        rmSync(join(project.root, 'src', name), { recursive: true, force: true })
    },
  )

  test.each(['src/tdd.config.yaml', 'src/.tdd/state.json'])(
    'an edit cannot make a project of its own: %s',
    (path) => {
      expect(
        hook('PreToolUse', { tool_name: 'Write', tool_input: { file_path: path, content: '' } }),
      ).toContain('[TDD] Blocked')
    },
  )
})
