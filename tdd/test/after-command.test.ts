import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentSetups } from '../src/init/agents.ts'
import { homeEnvironment } from './support/home.ts'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, runProgram, toolFile, tutti } from './support/tool.ts'

let project: TestProject

beforeAll(async () => {
  await buildTool()
  project = await createRepository({ 'package.json': '{}' })
  await tutti(project.root, ['init', ...agentSetups.flatMap(({ name }) => ['--agent', name])])
  await tutti(project.root, ['start'])
})

afterAll(() => project[Symbol.dispose]())

const command = 'find .tdd -delete; find . -name tdd.config.yaml -delete'

interface Events {
  readonly before: object
  readonly after: object
  /** The events of the commands in the settings. */
  readonly names: readonly [before: string, after: string]
  /** What the assistant reads of the answer. */
  readonly said: (stdout: string, stderr: string, code: number | null) => unknown
}

const tool = (name: string, input: object = { command }) => ({
  tool_name: name,
  tool_input: input,
  tool_use_id: 'call-1',
})
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>

/** The events of each assistant before and after a command, as it sends them. */
const events: Readonly<Record<string, Events>> = {
  'claude-code': {
    before: { session_id: 's', hook_event_name: 'PreToolUse', ...tool('Bash') },
    after: { session_id: 's', hook_event_name: 'PostToolUse', ...tool('Bash'), tool_response: {} },
    names: ['PreToolUse', 'PostToolUse'],
    said: (stdout) => json(stdout)['decision'] === 'block' && json(stdout)['reason'],
  },
  codex: {
    before: { session_id: 's', hook_event_name: 'PreToolUse', ...tool('Bash') },
    after: { session_id: 's', hook_event_name: 'PostToolUse', ...tool('Bash'), tool_response: '' },
    names: ['PreToolUse', 'PostToolUse'],
    said: (stdout) => json(stdout)['decision'] === 'block' && json(stdout)['reason'],
  },
  gemini: {
    before: {
      session_id: 's',
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
    },
    after: {
      session_id: 's',
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
    },
    names: ['BeforeTool', 'AfterTool'],
    said: (stdout) => json(stdout)['decision'] === 'deny' && json(stdout)['reason'],
  },
  cursor: {
    before: { conversation_id: 'c', hook_event_name: 'preToolUse', ...tool('Shell') },
    after: { conversation_id: 'c', hook_event_name: 'postToolUse', ...tool('Shell'), tool_output: '' },
    names: ['preToolUse', 'postToolUse'],
    said: (stdout) => json(stdout)['additional_context'],
  },
  copilot: {
    before: { toolName: 'bash', toolArgs: JSON.stringify({ command }) },
    after: { toolName: 'bash', toolArgs: JSON.stringify({ command }), toolResult: { resultType: 'success' } },
    names: ['preToolUse', 'postToolUse'],
    said: (stdout) => json(stdout)['additionalContext'],
  },
  windsurf: {
    before: {
      agent_action_name: 'pre_run_command',
      trajectory_id: 't',
      tool_info: { command_line: command },
    },
    after: {
      agent_action_name: 'post_run_command',
      trajectory_id: 't',
      tool_info: { command_line: command },
    },
    names: ['pre_run_command', 'post_run_command'],
    said: (_stdout, stderr, code) => code === 2 && stderr,
  },
  kiro: {
    before: { hook_event_name: 'preToolUse', tool_name: 'execute_bash', tool_input: { command } },
    after: { hook_event_name: 'postToolUse', tool_name: 'execute_bash', tool_input: { command } },
    names: ['PreToolUse', 'PostToolUse'],
    said: (_stdout, stderr, code) => code === 2 && stderr,
  },
}

/** The command of an event in the settings that init wrote. */
function commandIn(agent: string, event: string): string {
  const file = agentSetups.find(({ name }) => name === agent)?.hookFile ?? ''
  const { hooks } = json(readFileSync(join(project.root, file), 'utf8'))
  const entries = Array.isArray(hooks)
    ? hooks.filter((hook: { trigger?: string }) => hook.trigger === event)
    : (hooks as Record<string, unknown>)[event]
  const found = /"(?:command|bash)":("(?:[^"\\]|\\.)*node (?:[^"\\]|\\.)*")/.exec(
    JSON.stringify(entries),
  )?.[1]
  return JSON.parse(found ?? '""') as string
}

/** Runs a command of the settings as the assistant does. */
function call(line: string, input: object) {
  const { root } = project
  return runProgram('sh', ['-c', line], {
    cwd: root,
    input: JSON.stringify({ cwd: root, ...input }),
    env: { ...homeEnvironment, CLAUDE_PROJECT_DIR: root, GEMINI_PROJECT_DIR: root },
  })
}

test.each(Object.entries(events))(
  'with the settings of %s, a removed .tdd folder and configuration are back after the command',
  async (agent, { before, after, names: [first, second], said }) => {
    const config = readFileSync(join(project.root, 'tdd.config.yaml'), 'utf8')
    const [lineBefore, lineAfter] = [commandIn(agent, first), commandIn(agent, second)]
    const allowed = await call(lineBefore, before)
    expect(allowed).toMatchObject({ code: 0, stdout: agent === 'cursor' ? '{"permission":"allow"}\n' : '' })
    await runProgram('sh', ['-c', command], { cwd: project.root })
    expect(existsSync(join(project.root, '.tdd'))).toBe(false)
    const { stdout, stderr, code } = await call(lineAfter, after)
    expect(said(stdout, stderr, code)).toMatch(
      /\[TDD\] Restored.*tdd\.config\.yaml \(deleted\), \.tdd\/hook\.cjs \(deleted\)/,
    )
    expect(readFileSync(join(project.root, 'tdd.config.yaml'), 'utf8')).toBe(config)
    const quiet = await call(lineAfter, after)
    expect({ stdout: quiet.stdout, code: quiet.code }).toEqual({
      stdout: agent === 'cursor' ? '{}\n' : '',
      code: 0,
    })
    expect((await tutti(project.root, ['status'])).stdout).toMatch(/Level: +strict/)
  },
)

test('with the opencode plugin they are back too, and the output of the command says so', async () => {
  writeFileSync(join(project.root, '.opencode/plugins/package.json'), '{"type":"module"}')
  const file = pathToFileURL(join(project.root, '.opencode/plugins/tutti-tdd.js')).href
  const plugin = (await import(file)) as {
    TuttiTdd(input: object): Promise<Record<string, (input: object, output: object) => Promise<void>>>
  }
  const hooks = await plugin.TuttiTdd({ directory: project.root })
  const bash = { tool: 'bash', sessionID: 's', callID: 'c', args: { command } }
  await hooks['tool.execute.before']?.(bash, { args: { command } })
  await runProgram('sh', ['-c', command], { cwd: project.root })
  const result = { output: 'done' }
  await hooks['tool.execute.after']?.(bash, result)
  expect(result.output).toMatch(/^done\n\n\[TDD\] Restored.*tdd\.config\.yaml/)
  expect(existsSync(join(project.root, '.tdd/hook.cjs'))).toBe(true)
})

test('the installed tool is restored, and one that takes precedence is removed', async () => {
  using own = await createRepository({
    'package.json': '{}',
    'tdd.config.yaml': 'team: { enforcementLevel: strict }\n',
  })
  await tutti(own.root, ['init', '--agent', 'claude-code'])
  const inputs = ['PreToolUse', 'PostToolUse'].map((name) =>
    JSON.stringify({ cwd: own.root, session_id: 's', hook_event_name: name, ...tool('Bash') }),
  )
  const hook = (input = '') =>
    runProgram(process.execPath, [join(own.root, '.tdd/hook.cjs'), '--agent', 'claude-code'], {
      cwd: own.root,
      input,
      env: homeEnvironment,
    })
  const copy = (input = '') =>
    runProgram(
      process.execPath,
      [join(homeEnvironment.XDG_STATE_HOME, 'tutti-tdd/hook.cjs'), '--agent', 'claude-code'],
      {
        cwd: own.root,
        input,
        env: homeEnvironment,
      },
    )
  const installed = join(own.root, 'node_modules/tutti-tdd/dist')
  expect(await hook(inputs[0])).toMatchObject({ stdout: '', stderr: '' })
  own.write('node_modules/tutti-tdd/dist/tutti-tdd.cjs', 'exports.version = "9.9.9"; exports.run = () => {}')
  expect((await copy(inputs[1])).stdout).toContain('node_modules/tutti-tdd/dist/tutti-tdd.cjs (created)')
  expect(existsSync(join(installed, 'tutti-tdd.cjs'))).toBe(false)

  cpSync(dirname(toolFile), installed, { recursive: true })
  expect(await hook(inputs[0])).toMatchObject({ stdout: '', stderr: '' })
  rmSync(installed, { recursive: true })
  expect((await copy(inputs[1])).stdout).toContain('node_modules/tutti-tdd/dist/aside.cjs (deleted)')
  expect(readFileSync(join(installed, 'commands.cjs'))).toEqual(
    readFileSync(join(dirname(toolFile), 'commands.cjs')),
  )
})

test('doctor notices settings from before the event after a command', async () => {
  using own = await createRepository({ 'package.json': '{}' })
  await tutti(own.root, ['init', '--agent', 'claude-code'])
  const file = join(own.root, '.claude/settings.json')
  const settings = json(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> }
  delete settings.hooks['PostToolUse']
  writeFileSync(file, JSON.stringify(settings))
  const { stdout, code } = await tutti(own.root, ['doctor'])
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /✗ claude-code: it does not call the hook after a command.*tutti-tdd init --agent claude-code/,
  )
  await tutti(own.root, ['init', '--agent', 'claude-code'])
  expect((await tutti(own.root, ['doctor'])).stdout).not.toContain('after a command')
})
