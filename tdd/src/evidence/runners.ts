import { existsSync, readFileSync } from 'node:fs'

/** A way to run a project's tests so that we can read what came of it. */
export interface Runner {
  readonly name: string
  /** `{report}` stands for a file in which the report is wanted; without it the report is looked for elsewhere. */
  readonly command: string
  /** Where the reports lie afterwards, when the command chooses the place itself. */
  readonly reports?: readonly string[]
  /** The report comes on standard output and is not for people to read. */
  readonly machineOutput?: boolean
}

const runners: readonly Runner[] = [
  {
    name: 'vitest',
    command: 'npx vitest run --reporter=default --reporter=json --outputFile.json="{report}"',
  },
  { name: 'jest', command: 'npx jest --json --outputFile="{report}"' },
  { name: 'mocha', command: 'npx mocha --reporter tap', machineOutput: true },
  {
    name: 'node',
    command:
      'node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination="{report}"',
  },
  { name: 'deno', command: 'deno test --junit-path="{report}"' },
  { name: 'bun', command: 'bun test --reporter=junit --reporter-outfile="{report}"' },
  { name: 'pytest', command: 'python -m pytest --junitxml="{report}"' },
  { name: 'go', command: 'go test -json ./...', machineOutput: true },
  { name: 'nextest', command: 'cargo nextest run --profile ci', reports: ['target/nextest/ci/junit.xml'] },
  { name: 'cargo', command: 'cargo test' },
  { name: 'maven', command: 'mvn -q test', reports: ['target/surefire-reports/*.xml'] },
  { name: 'gradle', command: './gradlew test', reports: ['build/test-results/test/*.xml'] },
  { name: 'phpunit', command: 'vendor/bin/phpunit --log-junit "{report}"' },
  {
    name: 'rspec',
    command: 'bundle exec rspec --format progress --format RspecJunitFormatter --out "{report}"',
  },
  { name: 'swift', command: 'swift test --xunit-output "{report}"' },
  { name: 'bats', command: 'bats --tap test', machineOutput: true },
]

/** Which runners a language is tested with, the likeliest first. */
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

export interface RunnerWishes {
  readonly command?: string | undefined
  readonly reports?: readonly string[]
  readonly framework?: string | undefined
  readonly language?: string | undefined
}

/** Chooses how to run the tests of a folder: the configured command, the named runner, else what the folder shows. */
export function chooseRunner(
  folder: string,
  { command, reports = [], framework, language }: RunnerWishes,
): Runner | undefined {
  if (command !== undefined) return { name: 'configured', command, reports }
  const named = runners.find(({ name }) => name === framework?.toLowerCase())
  const found = named ?? runnerOfFolder(folder, byLanguage[language?.toLowerCase() ?? ''])
  return found === undefined ? undefined : { ...found, reports: [...(found.reports ?? []), ...reports] }
}

/** Whether the name is a runner we can start. */
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
    // No package.json, or one that npm could not read either.
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
