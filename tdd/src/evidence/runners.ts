import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { findAbove } from '../programs/find-above.ts'
import { isOnPath } from '../programs/on-path.ts'
import type { Tool } from '../programs/try-tool.ts'

/**
 * A test runner whose results the tool can read. In the command, `{report}` is replaced by the path of the report file;
 * without it, the report is read from `reports` or the output.
 */
export interface Runner extends Tool {
  /** The report files, when the command chooses their paths. */
  readonly reports?: readonly string[]
  /** Standard output is the report, and not readable for people. */
  readonly machineOutput?: boolean
}

/** `{python}`, `{maven}` and `{gradle}` are replaced by the programs of the folder; see `withPrograms`. */
const runners: readonly Runner[] = [
  {
    name: 'vitest',
    command: 'npx vitest run --reporter=default --reporter=json --outputFile.json="{report}"',
    npmPackage: 'vitest',
  },
  { name: 'jest', command: 'npx jest --json --outputFile="{report}"', npmPackage: 'jest' },
  { name: 'mocha', command: 'npx mocha --reporter tap', npmPackage: 'mocha', machineOutput: true },
  {
    name: 'node',
    command:
      'node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination="{report}"',
    probe: 'node --version',
  },
  { name: 'deno', command: 'deno test --junit-path="{report}"', probe: 'deno --version' },
  { name: 'bun', command: 'bun test --reporter=junit --reporter-outfile="{report}"', probe: 'bun --version' },
  {
    name: 'pytest',
    command: '{python} -m pytest --junitxml="{report}"',
    probe: '{python} -m pytest --version',
    install: '{python} -m pip install pytest',
  },
  { name: 'go', command: 'go test -json ./...', probe: 'go version', machineOutput: true },
  {
    name: 'nextest',
    command: 'cargo nextest run --profile ci',
    probe: 'cargo nextest --version',
    install: 'cargo install cargo-nextest',
    reports: ['target/nextest/ci/junit.xml'],
  },
  { name: 'cargo', command: 'cargo test', probe: 'cargo --version' },
  { name: 'maven', command: '{maven} -q test', reports: ['target/surefire-reports/*.xml'] },
  { name: 'gradle', command: '{gradle} test', reports: ['build/test-results/test/*.xml'] },
  {
    name: 'phpunit',
    command: 'vendor/bin/phpunit --log-junit "{report}"',
    probe: 'vendor/bin/phpunit --version',
    install: 'composer require --dev phpunit/phpunit',
  },
  {
    name: 'rspec',
    command: 'bundle exec rspec --format progress --format RspecJunitFormatter --out "{report}"',
    probe: 'bundle exec rspec --version',
    install: 'bundle add rspec rspec_junit_formatter --group test',
  },
  { name: 'swift', command: 'swift test --xunit-output "{report}"', probe: 'swift --version' },
  { name: 'bats', command: 'bats --tap test', probe: 'bats --version', machineOutput: true },
]

/** The test runners of each language, most common first. */
const byLanguage: Readonly<Record<string, readonly string[]>> = {
  typescript: ['vitest', 'jest', 'mocha', 'node', 'deno', 'bun'],
  javascript: ['vitest', 'jest', 'mocha', 'node', 'deno', 'bun'],
  python: ['pytest'],
  go: ['go'],
  rust: ['nextest', 'cargo'],
  java: ['maven', 'gradle'],
  kotlin: ['gradle', 'maven'],
  scala: ['gradle', 'maven'],
  php: ['phpunit'],
  ruby: ['rspec'],
  swift: ['swift'],
  shell: ['bats'],
}

export interface RunnerOptions {
  readonly command?: string | undefined
  readonly reports?: readonly string[]
  readonly framework?: string | undefined
  readonly language?: string | undefined
}

/** Chooses the test runner of a folder: the configured command, the named runner, else the detected one. */
export function chooseRunner(
  folder: string,
  { command, reports = [], framework, language }: RunnerOptions,
): Runner | undefined {
  if (command !== undefined) return { name: 'configured', command, reports }
  const named = runners.find(({ name }) => name === framework?.toLowerCase())
  const found = named ?? runnerOfFolder(folder, byLanguage[language?.toLowerCase() ?? ''])
  if (found === undefined) return undefined
  return { ...withPrograms(folder, found), reports: [...(found.reports ?? []), ...reports] }
}

/** Replaces placeholders by the programs of this folder: its Python, and its wrapper of Maven or Gradle. */
export function withPrograms<Kind extends Tool>(folder: string, tool: Kind): Kind {
  const has = (name: string): boolean => existsSync(`${folder}/${name}`)
  const fill = (text: string): string =>
    text
      .replaceAll('{python}', () => pythonOf(folder))
      .replaceAll('{maven}', has('mvnw') ? './mvnw' : 'mvn')
      .replaceAll('{gradle}', has('gradlew') ? './gradlew' : 'gradle')
  const { command, probe, install } = tool
  return {
    ...tool,
    command: fill(command),
    ...(probe === undefined ? {} : { probe: fill(probe) }),
    ...(install === undefined ? {} : { install: fill(install) }),
  }
}

/** Whether the tool can start a runner of this name. */
export function isRunner(name: string): boolean {
  return runners.some((runner) => runner.name === name.toLowerCase())
}

function runnerOfFolder(folder: string, wanted: readonly string[] | undefined): Runner | undefined {
  const has = (name: string): boolean => existsSync(`${folder}/${name}`)
  const scripts = readManifest(folder)
  const evidence: Readonly<Record<string, boolean>> = {
    vitest: scripts.uses('vitest'),
    jest: scripts.uses('jest'),
    mocha: scripts.uses('mocha'),
    node: scripts.mentions('node --test'),
    deno: has('deno.json') || has('deno.jsonc'),
    bun: scripts.mentions('bun test'),
    pytest: has('pyproject.toml') || has('pytest.ini') || has('setup.py') || has('requirements.txt'),
    go: has('go.mod'),
    nextest: has('.config/nextest.toml'),
    cargo: has('Cargo.toml'),
    maven: has('pom.xml'),
    gradle: has('build.gradle') || has('build.gradle.kts'),
    phpunit: has('phpunit.xml') || has('phpunit.xml.dist'),
    rspec: has('.rspec') || has('spec/spec_helper.rb'),
    swift: has('Package.swift'),
    bats: has('test/bats') || has('test/test_helper.bash'),
  }
  return runners.find(
    ({ name }) => evidence[name] === true && (wanted === undefined || wanted.includes(name)),
  )
}

interface Manifest {
  uses(dependency: string): boolean
  mentions(command: string): boolean
}

function readManifest(folder: string): Manifest {
  let manifest: Record<string, Record<string, string> | undefined> = {}
  try {
    manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as typeof manifest
  } catch {
    // The package.json is missing, or not even npm could read it.
  }
  const given: unknown = manifest.scripts?.test
  const script = typeof given === 'string' ? given : ''
  return {
    uses: (name) =>
      manifest.devDependencies?.[name] !== undefined ||
      manifest.dependencies?.[name] !== undefined ||
      new RegExp(`\\b${name}\\b`).test(script),
    mentions: (command) => script.includes(command),
  }
}

/**
 * The Python of a folder, quoted for a shell: from the active virtual environment, from the project's own, else the installed
 * one.
 */
function pythonOf(folder: string, env: NodeJS.ProcessEnv = process.env): string {
  const windows = process.platform === 'win32'
  const inside = windows ? 'Scripts/python.exe' : 'bin/python'
  const active = env['VIRTUAL_ENV'] === undefined ? undefined : `${env['VIRTUAL_ENV']}/${inside}`
  if (active !== undefined && existsSync(active)) return /^[\w./-]+$/.test(active) ? active : `"${active}"`
  const own = findAbove(folder, `.venv/${inside}`) ?? findAbove(folder, `venv/${inside}`)
  if (own !== undefined) return posix.relative(folder, own)
  return windows || (isOnPath('python', env) && !isOnPath('python3', env)) ? 'python' : 'python3'
}
