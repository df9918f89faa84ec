import { existsSync, readFileSync } from 'node:fs'
import { type Tool, tryTool } from '../programs/try-tool.ts'
import type { LintEvidence } from '../state/state.ts'
import { runTests } from './run-tests.ts'
import { withPrograms } from './runners.ts'

/** Chooses the linter of a folder: the configured command, else the first linter that the folder has a configuration for. */
export function chooseLinter(folder: string, configured: string | undefined): Tool | undefined {
  if (configured === 'off') return undefined
  if (configured !== undefined) return { name: 'configured', command: configured }
  const found = linterOf(folder)
  return found === undefined ? undefined : withPrograms(folder, found)
}

function linterOf(folder: string): Tool | undefined {
  const has = (...names: readonly string[]): boolean => names.some((name) => existsSync(`${folder}/${name}`))
  const { scripts, devDependencies } = manifestOf(folder)
  if (typeof scripts?.['lint'] === 'string') return { name: 'lint', command: scriptCommand(has) }
  if (devDependencies?.['eslint'] !== undefined)
    return { name: 'eslint', command: 'npx eslint .', npmPackage: 'eslint' }
  if (has('biome.json', 'biome.jsonc'))
    return {
      name: 'biome',
      command: 'npx biome check .',
      npmPackage: 'biome',
      install: 'npm install --save-dev @biomejs/biome',
    }
  if (has('.oxlintrc.json')) return { name: 'oxlint', command: 'npx oxlint', npmPackage: 'oxlint' }
  if (has('ruff.toml', '.ruff.toml') || mentions(folder, 'pyproject.toml', '[tool.ruff'))
    return pythonTool('ruff', 'ruff check .')
  if (has('.flake8')) return pythonTool('flake8', 'flake8')
  if (has('.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'))
    return { name: 'golangci-lint', command: 'golangci-lint run', probe: 'golangci-lint --version' }
  if (has('go.mod')) return { name: 'go', command: 'go vet ./...', probe: 'go version' }
  if (has('Cargo.toml'))
    return {
      name: 'clippy',
      command: 'cargo clippy --quiet --all-targets',
      probe: 'cargo clippy --version',
      install: 'rustup component add clippy',
    }
  if (has('phpstan.neon', 'phpstan.neon.dist'))
    return { name: 'phpstan', command: 'vendor/bin/phpstan analyse --no-progress' }
  if (has('.rubocop.yml'))
    return { name: 'rubocop', command: 'bundle exec rubocop', probe: 'bundle exec rubocop --version' }
  return undefined
}

function pythonTool(name: string, args: string): Tool {
  return {
    name,
    command: `{python} -m ${args}`,
    probe: `{python} -m ${name} --version`,
    install: `{python} -m pip install ${name}`,
  }
}

/** The lint script of the project, run by the package manager of its lock file. */
function scriptCommand(has: (...names: readonly string[]) => boolean): string {
  if (has('pnpm-lock.yaml')) return 'pnpm run lint'
  if (has('yarn.lock')) return 'yarn run lint'
  return has('bun.lock', 'bun.lockb') ? 'bun run lint' : 'npm run --silent lint'
}

type Manifest = Partial<Record<'scripts' | 'devDependencies', Readonly<Record<string, unknown>>>>

function manifestOf(folder: string): Manifest {
  try {
    return (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest | null) ?? {}
  } catch {
    return {}
  }
}

function mentions(folder: string, name: string, text: string): boolean {
  try {
    return readFileSync(`${folder}/${name}`, 'utf8').includes(text)
  } catch {
    return false
  }
}

/** A commit waits for the linter; a slower linter belongs into continuous integration. */
export const maxLintMs = 60_000
const shownCharacters = 300

/** Runs a linter. The outcome is unknown when it cannot be started or exceeds the timeout. */
export async function lint(
  linter: Tool,
  folder: string,
  timeoutMs: number,
  at: string,
): Promise<LintEvidence> {
  const { command } = linter
  const { works, said } = tryTool(linter, folder)
  if (!works) return { at, command, outcome: 'unknown', detail: `cannot run: ${said}` }
  const { exitCode, timedOut, stdout, stderr } = await runTests({
    command,
    cwd: folder,
    timeoutMs,
    show: () => {},
  })
  if (timedOut) return { at, command, outcome: 'unknown', detail: `was ended after ${timeoutMs} ms` }
  if (exitCode === 0) return { at, command, outcome: 'passed', detail: '' }
  const printed = `${stdout}\n${stderr}`.replace(/\s+/g, ' ').trim().slice(0, shownCharacters)
  return { at, command, outcome: 'failed', detail: `ended with ${exitCode}: ${printed}` }
}
