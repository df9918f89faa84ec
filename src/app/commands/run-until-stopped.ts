import { version } from '../version.ts'
import { returnMemoryWhenIdle } from './return-memory.ts'

/** A server that runs in the foreground until it is stopped. */
export interface RunningServer {
  /** Printed once the server is ready. Undefined: nothing is printed, because another process does it. */
  readonly banner: string | undefined
  close(): Promise<void>
}

/** Starts the server, prints its banner, waits for Ctrl-C or SIGTERM, and closes the server. */
export async function runUntilStopped(start: () => Promise<RunningServer>): Promise<void> {
  const stopped = stopSignal(() => console.log('Ended at once. The next start takes over what was left.'))
  const running = await start()
  const returningMemory = returnMemoryWhenIdle()
  const print = (text = '') => running.banner !== undefined && console.log(text)
  print(running.banner)
  await stopped
  returningMemory[Symbol.dispose]()
  print('Stopping …')
  await running.close()
  print('Stopped.')
}

/** A second signal so soon after the first is the same Ctrl-C: the terminal sends it, and npm passes it on once more. */
const sameSignalMs = 1000

/** Resolves at the first SIGINT or SIGTERM. A later one calls `onSecondSignal` and ends the process at once. */
async function stopSignal(onSecondSignal: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    let firstAt: number | undefined
    const stop = () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > sameSignalMs) {
        onSecondSignal()
        process.exit(130)
      }
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}

interface BannerOptions {
  /** The command that runs, such as `Tutti` or `Tutti cluster`. */
  readonly name: string
  /** Rows without a value are left out. */
  readonly rows: readonly (readonly [label: string, value: string | undefined])[]
}

/** The lines a person reads once a server is ready: its name and its addresses. */
export function writeBanner({ name, rows }: BannerOptions): string {
  return [
    '',
    `  ${name} ${version} is ready after ${(performance.now() / 1000).toFixed(1)} s`,
    '',
    ...rows.flatMap(([label, value]) => (value === undefined ? [] : [`  ${label.padEnd(15)}${value}`])),
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}
