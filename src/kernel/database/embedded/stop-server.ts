import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#kernel/telemetry'
import { errorCode } from '../connection-errors.ts'
import type { Layout } from './layout.ts'
import { postmasterStatus, readPostmasterFile } from './postmaster-file.ts'

/** Time for the last checkpoint, which is as long as the disk is slow. */
const fastShutdownMs = 60_000

/** Fast shutdown: ends all connections, writes a checkpoint, and waits until the server is gone. */
export async function stopServer({ cluster }: Layout, log: Logger): Promise<void> {
  const pid = readPostmasterFile(cluster)?.pid
  // Not `running` either is a server in another container, whose number means nothing here.
  const runs = () => pid !== undefined && postmasterStatus(pid, cluster) === 'running'
  if (pid === undefined || !runs()) return
  send(pid, 'SIGINT')
  const deadline = Date.now() + fastShutdownMs
  while (runs() && Date.now() < deadline) await delay(10)
  if (!runs()) return
  log.warn(
    { postgresPid: pid },
    'PostgreSQL does not stop; ending it at once, it will recover at the next start',
  )
  send(pid, 'SIGQUIT')
  while (runs() && Date.now() < deadline + 10_000) await delay(50)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended by itself in this very moment.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
