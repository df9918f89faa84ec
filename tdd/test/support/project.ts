import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Ended, runProgram } from './tool.ts'

export interface TestProject extends Disposable {
  readonly root: string
  write(path: string, content?: string): void
  git(...args: readonly string[]): Promise<Ended>
}

/** A folder of its own, with the files given. */
export function createFolder(files: Readonly<Record<string, string>> = {}): TestProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-tdd-test-')))
  const write = (path: string, content = ''): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  return {
    root,
    write,
    async git(...args) {
      const ended = await runProgram('git', args, { cwd: root, env: gitEnvironment })
      if (ended.code !== 0) throw new Error(`git ${args.join(' ')}: ${ended.stderr}`)
      return ended
    },
    // A program that still ends, such as a notification, may write a last file meanwhile.
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/** A git repository with the files given, not committed. */
export async function createRepository(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const project = createFolder(files)
  await project.git('init', '-q', '-b', 'main')
  appendFileSync(join(project.root, '.git/config'), ownSettings)
  return project
}

/** Written at once: `git config` would take a process for each. */
const ownSettings = `[user]
\tname = Ada
\temail = ada@example.org
[commit]
\tgpgsign = false
`

/** Nothing of the machine's own git settings reaches the tests. */
const gitEnvironment = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_WORK_TREE: undefined,
}
