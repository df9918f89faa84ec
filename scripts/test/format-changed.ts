import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { runCommand } from '../run-command.ts'

const format = ['check', '--write', '--no-errors-on-unmatched', '--files-ignore-unknown=true']

/** Formats the files that are not committed yet, so that a test run need not check them. Prints which it changed. */
export async function formatChanged(): Promise<void> {
  const startedMs = Date.now()
  const changed = listChanged()
  if (changed.length === 0) return
  const { ok, output } = await runCommand('biome', [...format, ...changed])
  if (!ok) console.log(output.trimEnd())
  for (const path of changed) if (statSync(path).mtimeMs >= startedMs) console.log(`Formatted: ${path}`)
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
