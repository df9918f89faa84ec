import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Environment } from '#kernel/config'
import { openConsole } from '../console.ts'
import { givenSettings, type RunningPlatform } from '../running-platform.ts'
import { bad, type Finding, good, note } from './finding.ts'

const minMajor = 24

/** The platform runs TypeScript directly, which needs a recent Node.js. */
export function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.')[0])
  if (major >= minMajor) return good(`Node.js ${version}`)
  return bad(
    `Node.js ${version} is too old`,
    'Run `npm ci` and start through `npm start` or `npx tutti`: they bring their own.',
  )
}

/** Reports the settings the other checks use: those of the platform that runs on this data folder, and those of this terminal. */
export function checkSettings(environment: Environment, running: RunningPlatform | undefined): Finding[] {
  const own = givenSettings(environment).map(({ variable }) => variable)
  if (running === undefined) {
    const given = own.length === 0 ? 'the defaults' : `${own.join(', ')}, and defaults`
    return [good(`No platform runs on this data folder; checked with ${given}`)]
  }
  const { pid, variables, secrets } = running
  const used = Object.keys(variables).filter((variable) => !own.includes(variable))
  const unread = secrets.filter((variable) => variable === 'TUTTI_SMTP_URL' && !own.includes(variable))
  return [
    good(
      `A platform runs on this data folder (process ${pid}); checked with its settings: ${used.join(', ')}`,
    ),
    ...unread.map((variable) =>
      note(
        `${variable} of that platform is a secret, so the mail server is not checked`,
        `To check it, set ${variable} for this command too.`,
      ),
    ),
  ]
}

const minFreeBytes = 1024 ** 3

/** The data folder has to be writable, private, and on a disk with free space. */
export async function checkFolder(dataDir: string): Promise<Finding> {
  const folder = resolve(dataDir)
  const existing = await nearestExisting(folder)
  if (!(await stat(existing)).isDirectory()) {
    return bad(`${existing} is a file`, 'Set TUTTI_DATA_DIR to a folder.')
  }
  try {
    await access(existing, constants.W_OK | constants.X_OK)
  } catch {
    return bad(
      `${existing} cannot be written`,
      'Give this user the folder, or set TUTTI_DATA_DIR to another.',
    )
  }
  const { bavail, bsize } = await statfs(existing)
  const freeGigabytes = ((bavail * bsize) / 1024 ** 3).toFixed(1)
  if (bavail * bsize < minFreeBytes) {
    return note(
      `${folder} has only ${freeGigabytes} GB left`,
      'Make room: the database stops when the disk is full.',
    )
  }
  if (existing !== folder) return good(`${folder} will be made at the first start (${freeGigabytes} GB free)`)
  const { mode } = await stat(folder)
  if ((mode & 0o077) !== 0) {
    return note(`${folder} can be read by other users`, `Close it: chmod 700 '${folder}'`)
  }
  return good(`${folder} is writable and private (${freeGigabytes} GB free)`)
}

async function nearestExisting(folder: string): Promise<string> {
  let current = folder
  for (;;) {
    try {
      await stat(current)
      return current
    } catch {
      const parent = dirname(current)
      if (parent === current) return current
      current = parent
    }
  }
}

export function checkConsole(): Finding {
  try {
    openConsole()
    return good('The console is built')
  } catch {
    return bad('The console is not built', 'Run `npm run prepare`.')
  }
}
