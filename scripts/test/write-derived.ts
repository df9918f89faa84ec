import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { runCommand } from '../run-command.ts'

const writers = [
  { command: 'biome', args: ['check', '--write', '.'] },
  { command: process.execPath, args: ['scripts/generate.ts'] },
]

/** Formats the project and writes its generated files, so that a test run need not check them. Prints which files changed. */
export async function writeDerived(): Promise<void> {
  const startedMs = Date.now()
  for (const { command, args } of writers) {
    const { ok, output } = await runCommand(command, args)
    if (!ok) console.log(output.trimEnd())
  }
  for (const path of listChanged()) {
    if (statSync(path).mtimeMs >= startedMs) console.log(`Written anew: ${path}`)
  }
}

/** Empty in a folder without history, or on a machine without git. */
function listChanged(): readonly string[] {
  try {
    const args = ['ls-files', '--modified', '--others', '--exclude-standard', '-z', '--deduplicate']
    const paths = execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).split('\0')
    return paths.filter((path) => path !== '' && statSync(path, { throwIfNoEntry: false }) !== undefined)
  } catch {
    return []
  }
}
