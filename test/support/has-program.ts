import { execFileSync } from 'node:child_process'

/** Whether a program runs on this machine. Tests that need one that not every machine has are skipped elsewhere. */
export function hasProgram(name: string, versionArgument = '--version'): boolean {
  try {
    execFileSync(name, [versionArgument], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
