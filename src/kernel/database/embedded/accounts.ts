import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A user of this machine. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The machine's own list. Users of a directory service are not in it, and are not needed here. */
export function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>()
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [name, , uid, gid] = line.split(':')
      const account = { uid: Number(uid), gid: Number(gid) }
      // Some systems write the last possible number as a negative one.
      if (name && account.uid >= 0 && account.gid >= 0) accounts.set(name, account)
    }
  } catch {
    // An image without accounts has no file of them either.
  }
  return accounts
}

/** The first owner other than root, from the folder upwards: somebody who can most likely reach it. */
export function nearestOrdinaryOwner(folder: string): number | undefined {
  for (let path = folder; ; path = dirname(path)) {
    const { uid } = statSync(path)
    if (uid !== 0) return uid
    if (path === dirname(path)) return undefined
  }
}
