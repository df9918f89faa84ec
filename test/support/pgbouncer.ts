import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'
import { patience } from './patience.ts'

/** A real PgBouncer in front of the database `tutti` of a server. */
export interface PgBouncer extends AsyncDisposable {
  readonly url: string
}

export async function startPgBouncer(
  serverPort: number,
  mode: 'session' | 'transaction',
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-pgbouncer-'))
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `tutti = host=127.0.0.1 port=${serverPort} user=tutti`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'auth_type = any',
      `pool_mode = ${mode}`,
      'default_pool_size = 15',
      'unix_socket_dir =',
    ].join('\n'),
  )
  // It refuses to run as root, and reads its file before it changes the user.
  const user = process.getuid?.() === 0 ? ['-u', 'daemon'] : []
  const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  async function close(): Promise<void> {
    child.kill('SIGKILL')
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  for (const deadline = Date.now() + 30_000 * patience; !(await accepts(port)); await delay(20)) {
    if (child.exitCode === null && Date.now() < deadline) continue
    await close()
    throw new Error('PgBouncer did not start')
  }
  return { url: `postgres://tutti:any@127.0.0.1:${port}/tutti`, [Symbol.asyncDispose]: close }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
