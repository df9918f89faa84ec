import { readFileSync } from 'node:fs'

/** The flags of V8 with which `bin/tutti` starts Node.js, for servers that a benchmark forks. */
export const launcherFlags = readFlags(readFileSync(new URL('../bin/tutti', import.meta.url), 'utf8'))

function readFlags(launcher: string): readonly string[] {
  const flags = launcher.match(/^flags='(.+)'$/m)?.[1]?.split(' ')
  if (flags === undefined) throw new Error('bin/tutti has no line with flags')
  return flags
}
