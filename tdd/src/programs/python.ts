import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { findAbove } from './find-above.ts'
import { isOnPath } from './on-path.ts'

/** The Python of a folder, as a shell reads it: of the active virtual environment, of the project's own, else of the machine. */
export function pythonOf(folder: string, env: NodeJS.ProcessEnv = process.env): string {
  const windows = process.platform === 'win32'
  const inside = windows ? 'Scripts/python.exe' : 'bin/python'
  const active = env['VIRTUAL_ENV'] === undefined ? undefined : `${env['VIRTUAL_ENV']}/${inside}`
  if (active !== undefined && existsSync(active)) return /^[\w./-]+$/.test(active) ? active : `"${active}"`
  const own = findAbove(folder, `.venv/${inside}`) ?? findAbove(folder, `venv/${inside}`)
  if (own !== undefined) return posix.relative(folder, own)
  return windows || (isOnPath('python', env) && !isOnPath('python3', env)) ? 'python' : 'python3'
}
