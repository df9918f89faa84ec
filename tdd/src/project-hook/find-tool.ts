import { existsSync, readFileSync, realpathSync } from 'node:fs'

const inPackages = 'node_modules/tutti-tdd/dist/tutti-tdd.cjs'

/** Finds the tool: among the project's packages, where this machine last ran it, then on the PATH. `folder` is `.tdd`. */
export function findTool(folder: string): string | undefined {
  return amongPackages(folder) ?? remembered(folder) ?? onPath()
}

/** From the project upwards, as Node would look. */
function amongPackages(folder: string): string | undefined {
  const steps = folder.split(/[\\/]/)
  for (let depth = steps.length - 1; depth > 0; depth--) {
    const file = `${steps.slice(0, depth).join('/')}/${inPackages}`
    if (existsSync(file)) return file
  }
  return undefined
}

/** A file that git does not see: the place is this machine's alone. */
function remembered(folder: string): string | undefined {
  try {
    const file = readFileSync(`${folder}/cache/tool`, 'utf8').trim()
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

function onPath(): string | undefined {
  const separator = process.platform === 'win32' ? ';' : ':'
  for (const folder of (process.env['PATH'] ?? '').split(separator)) {
    const link = `${folder}/tutti-tdd`
    if (folder === '' || !existsSync(link)) continue
    // npm links the program itself; on Windows it writes a script beside its packages instead.
    const [target, beside] = [realpathSync(link), `${folder}/${inPackages}`]
    if (target.endsWith('tutti-tdd.cjs')) return target
    if (existsSync(beside)) return beside
  }
  return undefined
}
